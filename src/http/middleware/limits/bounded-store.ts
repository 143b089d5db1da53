import type { LimitCount, LimitStore } from './limit-store.js';

interface Counter {
  hits: number;
  readonly resetTime: Date;
}

export interface BoundedStoreOptions {
  /** The length of each window; a minute by default. */
  readonly windowMs?: number | undefined;
  /** The maximum number of keys; `MAX_KEYS` by default. */
  readonly maxKeys?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: (() => number) | undefined;
}

/** The maximum number of keys in one store (RATE-04). */
export const MAX_KEYS = 100_000;

/**
 * Counts hits per key in fixed windows, in bounded memory.
 *
 * All windows have the same length and end in the order in which they started, so the oldest key comes first. A few
 * expired keys are dropped with each hit, without a timer. If the store is full, the oldest key that is not blocked is
 * dropped. Blocked keys are never dropped for new ones; if all keys are blocked, a new key is counted as blocked.
 */
export class BoundedStore implements LimitStore {
  readonly #open = new OldestFirst<Counter>();
  readonly #blocked = new OldestFirst<Counter>();
  readonly #windowMs: number;
  readonly #maxKeys: number;
  readonly #clock: () => number;

  /** @param limit the number of hits after which a key is blocked */
  constructor(
    private readonly limit: number,
    { windowMs = 60_000, maxKeys = MAX_KEYS, clock = Date.now }: BoundedStoreOptions = {},
  ) {
    this.#windowMs = windowMs;
    this.#maxKeys = maxKeys;
    this.#clock = clock;
  }

  get(key: string): LimitCount | undefined {
    const counter = this.#find(key);
    return counter === undefined ? undefined : { totalHits: counter.hits, resetTime: counter.resetTime };
  }

  increment(key: string): LimitCount {
    this.#dropExpired();
    const counter = this.#find(key) ?? this.#add(key);
    counter.hits += 1;
    if (counter.hits > this.limit && this.#open.delete(key)) this.#blocked.set(key, counter);
    return { totalHits: counter.hits, resetTime: counter.resetTime };
  }

  /** The number of keys currently stored. */
  get size(): number {
    return this.#open.size + this.#blocked.size;
  }

  #find(key: string): Counter | undefined {
    const counter = this.#open.get(key) ?? this.#blocked.get(key);
    if (counter === undefined || this.#isCurrent(counter)) return counter;
    this.#open.delete(key);
    this.#blocked.delete(key);
    return undefined;
  }

  /** A window with more time left than a new one has is over: the clock was set back, perhaps by hours. */
  #isCurrent({ resetTime }: Counter): boolean {
    const leftMs = resetTime.getTime() - this.#clock();
    return leftMs > 0 && leftMs <= this.#windowMs;
  }

  #add(key: string): Counter {
    const counter = { hits: 0, resetTime: new Date(this.#clock() + this.#windowMs) };
    if (this.size < this.#maxKeys || this.#dropOldestOpen()) this.#open.set(key, counter);
    else counter.hits = this.limit; // full of blocked keys: refusing is safe, and nothing is stored
    return counter;
  }

  #dropOldestOpen(): boolean {
    const oldest = this.#open.oldest();
    return oldest !== undefined && this.#open.delete(oldest[0]);
  }

  /**
   * Drops up to four expired keys of each kind per hit. That is more than are added, so the store shrinks after a
   * flood.
   */
  #dropExpired(): void {
    const now = this.#clock();
    for (const counters of [this.#open, this.#blocked]) {
      for (let looked = 0; looked < 4; looked += 1) {
        const oldest = counters.oldest();
        if (oldest === undefined || oldest[1].resetTime.getTime() > now) break;
        counters.delete(oldest[0]);
      }
    }
  }
}

/**
 * A map with fast access to its oldest entry. A plain `Map` keeps the gaps of deleted entries at its front until it is
 * rehashed, and every new iteration walks over all of them, which may be tens of thousands in a large map.
 */
export class OldestFirst<Value extends object> extends Map<string, Value> {
  /** A single iterator that is kept, so that it never returns to a gap. */
  #walk = this.entries();
  #oldest: readonly [string, Value] | undefined;

  /** Returns the oldest entry. */
  oldest(): readonly [string, Value] | undefined {
    if (this.size === 0) return undefined;
    while (this.#oldest === undefined || this.get(this.#oldest[0]) !== this.#oldest[1]) {
      const next = this.#walk.next();
      // A finished iterator stays finished, but entries may have been added since.
      if (next.done) this.#walk = this.entries();
      else this.#oldest = next.value;
    }
    return this.#oldest;
  }
}
