import type { Response } from 'express';
import { BoundedStore } from './bounded-store.js';
import { askStore, type LimitCount, type LimitStore, type LimitStoreFactory } from './limit-store.js';
import { judgeCount } from './refuse-call.js';

export interface CallLimitOptions {
  /** The name in the `RateLimit-Policy` header. */
  readonly name: string;
  /** Calls per minute for each key; 0 for no limit. */
  readonly perMinute: number;
  readonly maxKeys?: number;
  /** Counts shared by several processes; in this process's memory by default. */
  readonly stores?: LimitStoreFactory | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

const MINUTE = 60_000;

/**
 * A limit for every call. Unlike `limiter`, it counts without a promise in this process's memory, and lets calls pass
 * while a shared store fails.
 */
export class CallLimit {
  readonly #local: BoundedStore;
  readonly #shared: LimitStore | undefined;
  readonly #clock: () => number;

  constructor(private readonly options: CallLimitOptions) {
    const { name, perMinute, maxKeys, stores, clock = Date.now } = options;
    this.#clock = clock;
    this.#local = new BoundedStore(perMinute, { windowMs: MINUTE, maxKeys, clock });
    this.#shared = stores?.({ name, limit: perMinute, windowMs: MINUTE });
  }

  /**
   * Counts one call of a key: synchronously in this process's memory, asynchronously in a shared store.
   *
   * @throws {RateLimitedError} the key has exceeded its limit for this minute
   */
  count(key: string, response: Response): Promise<void> | undefined {
    if (this.options.perMinute === 0) return undefined;
    if (this.#shared !== undefined) return this.#countShared(this.#shared, key, response);
    this.#judge(this.#local.increment(key), response);
    return undefined;
  }

  /** Counts locally while the shared store fails: a loose limit is better than no response (RATE-06). */
  async #countShared(store: LimitStore, key: string, response: Response): Promise<void> {
    let count: LimitCount;
    try {
      count = await askStore(store, (asked) => asked.increment(key));
    } catch {
      count = this.#local.increment(key);
    }
    this.#judge(count, response);
  }

  #judge({ totalHits, resetTime }: LimitCount, response: Response): void {
    const { name, perMinute } = this.options;
    const waitMs = resetTime.getTime() - this.#clock();
    judgeCount(response, { name, limit: perMinute, windowMs: MINUTE, waitMs }, totalHits);
  }
}
