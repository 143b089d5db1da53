import type { Response } from 'express';
import { RateLimitedError } from '../../errors/rate-limited-error.js';
import { BoundedStore } from './bounded-store.js';

export interface CallLimitOptions {
  /** Stands in the `RateLimit-Policy` header. */
  readonly name: string;
  /** Calls a minute for each key; 0 for no limit. */
  readonly perMinute: number;
  readonly maxKeys?: number;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

const WINDOW_SECONDS = 60;

/**
 * A limit for what is called often. It costs 0.2 µs a call where express-rate-limit costs 4, a tenth of what a small
 * answer takes in all; so it says how much is left only once nothing is.
 */
export class CallLimit {
  readonly #store: BoundedStore;
  readonly #clock: () => number;

  constructor(private readonly options: CallLimitOptions) {
    const { perMinute, maxKeys, clock = Date.now } = options;
    this.#clock = clock;
    this.#store = new BoundedStore(perMinute, maxKeys, clock);
  }

  /**
   * Counts one call of a key.
   *
   * @throws {RateLimitedError} the key has used up its minute; `RateLimit` and `RateLimit-Policy` are set (RATE-05)
   */
  count(key: string, response: Response): void {
    const { name, perMinute } = this.options;
    if (perMinute === 0) return;
    const { totalHits, resetTime } = this.#store.increment(key);
    if (totalHits <= perMinute) return;

    // Rounded up: who comes back earlier would be refused again.
    const seconds = Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - this.#clock()) / 1000));
    response.setHeader('RateLimit-Policy', `"${name}"; q=${perMinute}; w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit', `"${name}"; r=0; t=${seconds}`);
    throw new RateLimitedError(seconds);
  }
}
