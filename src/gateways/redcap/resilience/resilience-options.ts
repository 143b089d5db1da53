/** Every knob of what stands between a caller and REDCap. */
export interface ResilienceOptions {
  /** How often a failed read, or a write that may be repeated, is tried again. 0: never. */
  readonly maxRetries: number;
  /** The first pause before a retry is a random part of this; each further one of twice as much. */
  readonly retryBaseMs: number;
  /** No pause of our own is longer. `Retry-After` may ask for more, within the total time. */
  readonly retryMaxMs: number;
  /** Retries that may be made for each call, over time: 0.1 is one retry for ten calls. */
  readonly retryQuota: number;
  /** Retries that are allowed before the quota counts, given back within a minute. */
  readonly retryReserve: number;
  /** One call with its waiting and its retries; for a stream, until its first bytes. */
  readonly totalMs: number;
  /**
   * Calls under way at once. A stream is under way until it has ended. A quarter, at least one of several, is left to short
   * calls, and one caller has at most two thirds of the rest for its streams.
   */
  readonly concurrency: number;
  /** Calls that may wait for their turn; the next is refused. */
  readonly queueLimit: number;
  /** How long a call waits for its turn before it is refused. */
  readonly queueWaitMs: number;
  /** Calls in any minute. 0: no ceiling. REDCap bans an address that makes more than 600, until a person lifts it. */
  readonly callsPerMinute: number;
  /** Failures in a row after which REDCap is left alone for a while. 0: never. */
  readonly breakerFailures: number;
  /** How long it is left alone before one call probes it. */
  readonly breakerOpenMs: number;
  /** How long version, project information and structure are remembered. 0: they are asked for each time. */
  readonly cacheMs: number;
}

export const DEFAULT_RESILIENCE: ResilienceOptions = {
  maxRetries: 2,
  retryBaseMs: 200,
  retryMaxMs: 5_000,
  retryQuota: 0.1,
  retryReserve: 10,
  totalMs: 120_000,
  concurrency: 8,
  queueLimit: 64,
  queueWaitMs: 2_000,
  callsPerMinute: 500,
  breakerFailures: 10,
  breakerOpenMs: 10_000,
  cacheMs: 30_000,
};
