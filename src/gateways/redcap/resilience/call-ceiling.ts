/** Counts calls to REDCap and refuses those above the limit. Synchronous in memory, asynchronous in a shared store. */
export interface CallCeiling {
  /**
   * Counts a call.
   *
   * @param isProbe never refused: probes are at least a few seconds apart, and a full minute does not mean that REDCap
   *   is down
   * @throws {OverloadedError} the minute is full; names the seconds until there is room
   */
  take(caller: string | undefined, isProbe?: boolean): void | Promise<void>;
  /** Returns the number of calls counted in the last minute. */
  used(): number | Promise<number>;
}
