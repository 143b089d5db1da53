import type { CallQueue, CallQueueOptions } from './call-queue.js';
import { CircuitBreaker, type Circuit, type CircuitBreakerOptions } from './circuit-breaker.js';
import type { Clock } from './clock.js';
import { MinuteCeiling, type CallCeiling } from './minute-ceiling.js';
import type { CacheVersion } from './shared-reads.js';

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
