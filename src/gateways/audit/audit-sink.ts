/** The destination of the audit log's lines. `append` is called again only after the previous call has settled. */
export interface AuditSink {
  /**
   * Whether a failed `append` may have left something in the log, so that `open` has to be called before the next one.
   * Left out by a sink to which this cannot happen.
   */
  readonly isEndUnknown?: boolean | undefined;
  /**
   * Opens the log, or reads its end again.
   *
   * @returns its last complete line, from which the chain continues, and whether an unfinished line from an earlier
   *   process follows it; neither for a new log
   * @throws {Error} from the file system
   */
  open(): Promise<AuditEnd>;
  /**
   * Appends complete lines and waits until they are stored durably.
   *
   * @throws {Error} none of the lines were kept, or it is unknown whether they were; the next `append` may succeed
   */
  append(lines: string): Promise<void>;
  /** Reopens the log before the next line, for example after a rotation. */
  reopen(): void;
  close(): Promise<void>;
}

/** The end of a log that was written earlier. */
export interface AuditEnd {
  readonly lastLine?: string | undefined;
  readonly isTorn?: boolean | undefined;
}
