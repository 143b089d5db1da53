import { OverloadedError } from '../../errors/operator-errors.js';
import type { IdempotencyStore, IdempotentResult, Reservation } from './idempotency-store.js';

export interface MemoryIdempotencyStoreOptions {
  /** Keys held at most; 10,000 by default. The outcome that is kept longest gives way; one that runs never does. */
  readonly maxKeys?: number | undefined;
  /** How long an outcome is kept; 24 hours by default. */
  readonly keepMs?: number | undefined;
  /** The current time in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/** Keeps outcomes in the memory of one process: a restart forgets them. */
export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #maxKeys: number;
  readonly #keepMs: number;
  readonly #now: () => number;
  readonly #running = new Set<string>();
  /** In the order in which they were done: the first is the oldest. */
  readonly #done = new Map<string, { readonly result: IdempotentResult; readonly expiresAt: number }>();

  constructor(options: MemoryIdempotencyStoreOptions = {}) {
    this.#maxKeys = options.maxKeys ?? 10_000;
    this.#keepMs = options.keepMs ?? 24 * 60 * 60 * 1000;
    this.#now = options.now ?? Date.now;
  }

  /** How many keys are held. */
  get size(): number {
    return this.#running.size + this.#done.size;
  }

  reserve(key: string): Promise<Reservation> {
    return new Promise((resolve) => resolve(this.#reserve(key)));
  }

  /** With the process goes the memory: there is nobody to tell. */
  markOnce(): Promise<void> {
    return Promise.resolve();
  }

  complete(key: string, result: IdempotentResult): Promise<void> {
    this.#running.delete(key);
    this.#done.delete(key);
    this.#done.set(key, { result, expiresAt: this.#now() + this.#keepMs });
    return Promise.resolve();
  }

  release(key: string): Promise<void> {
    this.#running.delete(key);
    return Promise.resolve();
  }

  /** Nothing is awaited between the look and the taking: that is what makes it one step. */
  #reserve(key: string): Reservation {
    this.#forgetExpired();
    if (this.#running.has(key)) return { state: 'running' };
    const done = this.#done.get(key);
    if (done !== undefined) return { state: 'done', result: done.result };
    this.#makeRoom();
    this.#running.add(key);
    return { state: 'reserved' };
  }

  #forgetExpired(): void {
    const now = this.#now();
    for (const [key, { expiresAt }] of this.#done) {
      if (expiresAt > now) return;
      this.#done.delete(key);
    }
  }

  #makeRoom(): void {
    if (this.size < this.#maxKeys) return;
    const [oldest] = this.#done.keys();
    if (oldest === undefined) throw new OverloadedError();
    this.#done.delete(oldest);
  }
}
