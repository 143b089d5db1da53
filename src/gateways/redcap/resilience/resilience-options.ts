import type { CallQueue, CallQueueOptions } from './call-queue.js';
import { CircuitBreaker, type Circuit, type CircuitBreakerOptions } from './circuit-breaker.js';
import type { Clock } from './clock.js';
import { MinuteCeiling, type CallCeiling } from './minute-ceiling.js';
import type { CacheVersion } from './shared-reads.js';

/** Options for limits, retries, the circuit breaker and caching. */
export interface ResilienceOptions {
  /** How often a failed read or repeatable write is retried. 0: never. */
  readonly maxRetries: number;
  /** The pause before the first retry is random, up to this. The maximum doubles with each retry. */
  readonly retryBaseMs: number;
  /**
   * The longest pause before a retry. A call that is to wait longer, by `Retry-After`, fails at once with the seconds; only
   * the later calls of an operation, such as the chunks of an import, wait for it, within the total time.
   */
  readonly retryMaxMs: number;
  /** Retries earned by each call: 0.1 allows one retry per ten calls on average. */
  readonly retryQuota: number;
  /** Retries that are allowed in addition to the quota. The reserve refills within a minute. */
  readonly retryReserve: number;
  /** The time limit of one call including its waiting and its retries; for a stream, until its first bytes. */
  readonly totalMs: number;
  /**
   * Calls in progress at the same time. A stream is in progress until it has ended. A quarter of these, and at least
   * one if there are several, is reserved for short calls, and one caller can use at most two thirds of the rest for
   * its streams.
   */
  readonly concurrency: number;
  /** Calls that can wait for their turn. Further ones are refused. */
  readonly queueLimit: number;
  /** How long a call waits for its turn before it is refused. */
  readonly queueWaitMs: number;
  /**
   * Calls in any minute. 0: no ceiling. REDCap bans an address that makes more than 600 until an administrator lifts
   * the ban.
   */
  readonly callsPerMinute: number;
  /** Consecutive failures after which calls to REDCap are suspended for a while. 0: never. */
  readonly breakerFailures: number;
  /** How long calls are suspended before one call probes REDCap. */
  readonly breakerOpenMs: number;
  /** How long version, project information and structure are cached. 0: not cached. */
  readonly cacheMs: number;
}

/** The queue, the retries, the circuit breaker and the cache of a client that sets none of them. */
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

/** The state of resilience, of this process or shared by several. */
export interface ResilienceState {
  /** @param limit calls in any minute; 0 for no ceiling */
  ceiling(limit: number, clock: Clock): CallCeiling;
  circuit(options: CircuitBreakerOptions, clock: Clock): Circuit;
  /** The queue of the host that several projects share, and the name of this one in it; undefined for one project. */
  readonly host?: { readonly project: string; queue(options: CallQueueOptions, clock: Clock): CallQueue };
  /** Undefined for a single process. */
  readonly cacheVersion?: CacheVersion | undefined;
}

/** State in the memory of this process. */
export const LOCAL_RESILIENCE: ResilienceState = {
  ceiling: (limit, clock) => new MinuteCeiling(limit, clock),
  circuit: (options, clock) => new CircuitBreaker(options, clock),
};
