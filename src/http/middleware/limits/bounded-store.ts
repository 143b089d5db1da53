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
 * All windows have the same length and end in the order in which they started, so the oldest key comes first. Expired
 * keys are dropped once in the time of a window, without a timer, and when the store is full. If it is still full, all
 * keys that are not blocked are dropped. Blocked keys are never dropped for new ones; if all keys are blocked, a new key
 * is counted as blocked.
 */
export class BoundedStore implements LimitStore {
  readonly #open = new Map<string, Counter>();
  readonly #blocked = new Map<string, Counter>();
  readonly #windowMs: number;
  readonly #maxKeys: number;
  readonly #clock: () => number;
  #droppedAt = -Infinity;

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
    const counter = this.#find(key) ?? this.#add(key);
    counter.hits += 1;
    if (counter.hits > this.limit && this.#open.delete(key)) this.#blocked.set(key, counter);
    return { totalHits: counter.hits, resetTime: counter.resetTime };
  }

  /** The number of keys currently stored. */
  get size(): number {
    return this.#open.size + this.#blocked.size;
  }

  get #isFull(): boolean {
    return this.size >= this.#maxKeys;
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
    const now = this.#clock();
    if (this.#isFull || now - this.#droppedAt >= this.#windowMs) this.#dropExpired(now);
    if (this.#isFull) this.#open.clear();
    const counter = { hits: 0, resetTime: new Date(now + this.#windowMs) };
    if (this.#isFull)
      counter.hits = this.limit; // full of blocked keys: refusing is safe, and nothing is stored
    else this.#open.set(key, counter);
    return counter;
  }

  #dropExpired(now: number): void {
    this.#droppedAt = now;
    for (const counters of [this.#open, this.#blocked])
      for (const [key, counter] of counters) {
        if (this.#isCurrent(counter)) break;
        counters.delete(key);
      }
  }
}
