import type { CacheVersion } from './cache-version.js';
import type { CallCeiling } from './call-ceiling.js';
import { CircuitBreaker, type Circuit, type CircuitBreakerOptions } from './circuit-breaker.js';
import type { Clock } from './clock.js';
import { MinuteCeiling } from './minute-ceiling.js';

/** What resilience remembers, of this process or of several together. */
export interface ResilienceState {
  /** @param limit calls in any minute; 0 for no ceiling */
  ceiling(limit: number, clock: Clock): CallCeiling;
  circuit(options: CircuitBreakerOptions, clock: Clock): Circuit;
  /** Nothing for a process that is alone. */
  readonly cacheVersion?: CacheVersion | undefined;
}

/** In the memory of this process. */
export const LOCAL_RESILIENCE: ResilienceState = {
  ceiling: (limit, clock) => new MinuteCeiling(limit, clock),
  circuit: (options, clock) => new CircuitBreaker(options, clock),
};
