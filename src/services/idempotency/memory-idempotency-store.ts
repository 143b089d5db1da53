import { OverloadedError } from '../../domain/errors/operator-errors.js';
import type { IdempotencyStore, IdempotentResult, Reservation } from './idempotency-store.js';

export interface MemoryIdempotencyStoreOptions {
  /**
   * Maximum number of keys; 10,000 by default. The oldest outcome is dropped first. Running requests are never dropped.
   */
  readonly maxKeys?: number | undefined;
  /** The current time in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/** How long an outcome is stored. */
const KEEP_MS = 24 * 60 * 60 * 1000;

/** Stores outcomes in the memory of one process. They are lost on a restart. */
export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #maxKeys: number;
  readonly #now: () => number;
  readonly #running = new Set<string>();
  /** In order of completion, oldest first. */
  readonly #done = new Map<string, { readonly result: IdempotentResult; readonly expiresAt: number }>();

  constructor(options: MemoryIdempotencyStoreOptions = {}) {
    this.#maxKeys = options.maxKeys ?? 10_000;
    this.#now = options.now ?? Date.now;
  }

  /** The number of keys. */
  get size(): number {
    return this.#running.size + this.#done.size;
  }

  reserve(key: string): Promise<Reservation> {
    return new Promise((resolve) => resolve(this.#reserve(key)));
  }

  /** Does nothing, because the memory is lost together with the process. */
  markOnce(): Promise<void> {
    return Promise.resolve();
  }

  complete(key: string, result: IdempotentResult): Promise<void> {
    this.#running.delete(key);
    this.#done.delete(key);
    this.#done.set(key, { result, expiresAt: this.#now() + KEEP_MS });
    return Promise.resolve();
  }

  release(key: string): Promise<void> {
    this.#running.delete(key);
    return Promise.resolve();
  }

  /** Reserves a key. Atomic, because nothing is awaited between the check and the write. */
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
