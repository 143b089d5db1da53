import type { AuditEnd, AuditSink } from './audit-sink.js';

/** The audit log as lines in the process's own output. Whoever collects the output has to keep them. */
export class AuditLines implements AuditSink {
  /** @param write resolves when the lines have been handed over to the operating system */
  constructor(private readonly write: (lines: string) => Promise<void>) {}

  /** The output of earlier processes cannot be read, so the chain starts again with each process. */
  open(): Promise<AuditEnd> {
    return Promise.resolve({});
  }

  append(lines: string): Promise<void> {
    return this.write(lines);
  }

  reopen(): void {
    // There is nothing to open.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
