import type { AuditEnd, AuditSink } from '../../src/gateways/audit/audit-sink.js';
import type { AuditEntry } from '../../src/services/audit/audit-entry.js';
import { AuditTrail } from '../../src/services/audit/audit-trail.js';

/** An entry, as written to the log. */
export type WrittenEntry = AuditEntry & {
  readonly seq: number;
  readonly at: string;
  readonly prev: string;
  readonly hash: string;
};

/** An audit log in memory that can simulate a full disk. */
export class MemoryAudit implements AuditSink {
  readonly lines: string[] = [];
  isFull = false;
  appends = 0;

  open(): Promise<AuditEnd> {
    return Promise.resolve({ lastLine: this.lines.at(-1) });
  }

  async append(lines: string): Promise<void> {
    this.appends += 1;
    // Simulates the delay of a disk, so that entries queue up.
    await new Promise(setImmediate);
    if (this.isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    this.lines.push(...lines.split('\n').filter((line) => line !== ''));
  }

  reopen(): void {
    // Nothing to open.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get entries(): WrittenEntry[] {
    return this.lines.map((line) => JSON.parse(line) as WrittenEntry);
  }

  /** Returns the entries of one event. */
  of(event: AuditEntry['event']): WrittenEntry[] {
    return this.entries.filter((entry) => entry.event === event);
  }
}

/** Starts an audit trail that writes to memory. */
export async function startMemoryAudit(): Promise<{ readonly log: MemoryAudit; readonly audit: AuditTrail }> {
  const log = new MemoryAudit();
  const audit = new AuditTrail(log);
  await audit.start();
  return { log, audit };
}
