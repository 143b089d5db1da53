/** What every operation of the client takes as its last argument. */
export interface CallOptions {
  /** Cancels the call, its retries and its waiting: the promise rejects with `CancelledError`. */
  readonly signal?: AbortSignal | undefined;
  /** Whose turn it is in the queue in front of REDCap: callers with different names share it fairly. */
  readonly caller?: string | undefined;
  /** W3C trace context: goes to REDCap with the call. Not with what is shared by several callers. */
  readonly traceparent?: string | undefined;
}

/** What a call says that is a part of larger work. */
export interface PartOptions {
  /**
   * The work was let in already, as an export of many batches was with its first call: while there is no turn for this
   * part, it waits as long as the total time of a call allows, instead of being refused with `OverloadedError`.
   */
  readonly isContinuation?: boolean | undefined;
}
