/** Counts calls to REDCap, and refuses the one that is too many. In memory at once, in a shared store with a promise. */
export interface CallCeiling {
  /**
   * Counts a call.
   *
   * @param isProbe never refused: there is one in a few seconds at most, and a full minute is no fault of REDCap's
   * @throws {OverloadedError} the minute is full, with the seconds until it is not
   */
  take(caller: string | undefined, isProbe?: boolean): void | Promise<void>;
}
