/** Options that every operation of the client takes as its last argument. */
export interface CallOptions {
  /** Cancels the call, its retries and its waiting. The promise rejects with `CancelledError`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The name under which the call waits in the queue for REDCap. Callers with different names share the queue fairly.
   */
  readonly caller?: string | undefined;
  /**
   * W3C trace context, sent to REDCap with the call. Not sent if it is not valid, nor with calls that several callers
   * can share.
   */
  readonly traceparent?: string | undefined;
}

/** Options of a call that is part of a larger operation. */
export interface PartOptions {
  /**
   * Whether the operation was already admitted, like a batched export with its first call. If there is no turn for this
   * part, it then waits as long as the total time of a call allows, instead of being refused with `OverloadedError`.
   */
  readonly isContinuation?: boolean | undefined;
}
