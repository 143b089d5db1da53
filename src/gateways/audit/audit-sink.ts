/** Where the lines of the audit log go. One writer at a time: `append` is called again only when it has settled. */
export interface AuditSink {
  /**
   * Opens the log.
   *
   * @returns its last whole line, from which the chain goes on, and whether an unfinished line of an earlier process
   *   follows it; nothing for a log that begins
   * @throws {Error} of the file system
   */
  open(): Promise<AuditEnd>;
  /**
   * Appends whole lines and waits until they are safe.
   *
   * @throws {Error} nothing of them is kept, or it cannot be known; the next `append` may succeed
   */
  append(lines: string): Promise<void>;
  /** Opens the log anew before the next line, as after a rotation. */
  reopen(): void;
  close(): Promise<void>;
}

/** How a log ends that was written before. */
export interface AuditEnd {
  readonly lastLine?: string | undefined;
  readonly isTorn?: boolean | undefined;
}
