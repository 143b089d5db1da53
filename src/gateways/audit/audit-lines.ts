import type { AuditEnd, AuditSink } from './audit-sink.js';

/** The audit log as lines among those of the process's own output. Whoever collects that has to keep it. */
export class AuditLines implements AuditSink {
  readonly #write: (lines: string) => Promise<void>;

  /** @param write resolves when the lines have left the process */
  constructor(write: (lines: string) => Promise<void>) {
    this.#write = write;
  }

  /** What earlier processes wrote is not to be read: the chain begins with each process. */
  open(): Promise<AuditEnd> {
    return Promise.resolve({});
  }

  append(lines: string): Promise<void> {
    return this.#write(lines);
  }

  reopen(): void {
    // There is nothing to open.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
