import type { Options, Store } from 'express-rate-limit';
import type { LimitCount, LimitStore } from './limit-store.js';
import { OldestFirst } from './oldest-first.js';

interface Counter {
  hits: number;
  readonly resetTime: Date;
}

/** How many keys one store keeps (RATE-04). */
export const MAX_KEYS = 100_000;

/**
 * Counts by key in fixed windows, in bounded memory.
 *
 * Windows of one length end in the order in which they began, so the oldest key stands first: expired keys are dropped
 * from there, a few at each hit, without a timer. When the store is full the oldest key that is not blocked goes; a
 * blocked one is never pushed out by new ones, and where all are blocked a new key is counted as blocked.
 */
export class BoundedStore implements Store, LimitStore {
  /** Every instance counts for itself: no other process sees its keys. */
  readonly localKeys = true;
  readonly #open = new OldestFirst<Counter>();
  readonly #blocked = new OldestFirst<Counter>();
  #windowMs = 60_000;

  /**
   * @param limit hits from which on a key counts as blocked
   * @param maxKeys keys kept at most
   * @param clock milliseconds since the epoch
   */
  constructor(
    private readonly limit: number,
    private readonly maxKeys = MAX_KEYS,
    private readonly clock: () => number = Date.now,
  ) {}

  init({ windowMs }: Pick<Options, 'windowMs'>): void {
    this.#windowMs = windowMs;
  }

  get(key: string): LimitCount | undefined {
    const counter = this.#find(key);
    return counter === undefined ? undefined : { totalHits: counter.hits, resetTime: counter.resetTime };
  }

  increment(key: string): LimitCount {
    this.#dropExpired();
    const counter = this.#find(key) ?? this.#add(key);
    counter.hits += 1;
    if (counter.hits > this.limit && this.#open.delete(key)) this.#blocked.add(key, counter);
    return { totalHits: counter.hits, resetTime: counter.resetTime };
  }

  decrement(key: string): void {
    const counter = this.#find(key);
    if (counter !== undefined && counter.hits > 0) counter.hits -= 1;
  }

  resetKey(key: string): void {
    this.#open.delete(key);
    this.#blocked.delete(key);
  }

  resetAll(): void {
    this.#open.clear();
    this.#blocked.clear();
  }

  /** Keys kept now. */
  get size(): number {
    return this.#open.size + this.#blocked.size;
  }

  #find(key: string): Counter | undefined {
    const counter = this.#open.get(key) ?? this.#blocked.get(key);
    if (counter === undefined || counter.resetTime.getTime() > this.clock()) return counter;
    this.resetKey(key);
    return undefined;
  }

  #add(key: string): Counter {
    const counter = { hits: 0, resetTime: new Date(this.clock() + this.#windowMs) };
    if (this.size < this.maxKeys || this.#dropOldestOpen()) this.#open.add(key, counter);
    else counter.hits = this.limit; // full of blocked keys: refusing is the safe answer, and nothing is kept
    return counter;
  }

  #dropOldestOpen(): boolean {
    const oldest = this.#open.oldest();
    return oldest !== undefined && this.#open.delete(oldest[0]);
  }

  /** A handful at each hit: more than can be added, so that the store shrinks again after a flood. */
  #dropExpired(): void {
    const now = this.clock();
    for (const counters of [this.#open, this.#blocked]) {
      for (let looked = 0; looked < 4; looked += 1) {
        const oldest = counters.oldest();
        if (oldest === undefined || oldest[1].resetTime.getTime() > now) break;
        counters.delete(oldest[0]);
      }
    }
  }
}
