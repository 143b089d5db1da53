import { LRUCache } from 'lru-cache';

/**
 * Stores small values by name with a time to live: the state of the sign-in. Either in the memory of one process, or
 * shared by all replicas. Every method except `keep` and `discard` may reject with `SharedStateUnavailableError`.
 */
export interface KeyValueStore {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string, ttlMs: number): Promise<void>;
  /** Sets a value unless it exists. @returns whether this call set it; of concurrent calls, only one does */
  add(name: string, value: string, ttlMs: number): Promise<boolean>;
  /** @param value if given, the entry is deleted only if it has this value */
  delete(name: string, value?: string): Promise<void>;
  /** Adds to a counter and restarts its time to live. @returns its new value */
  count(name: string, ttlMs: number, by?: number): Promise<number>;
  /** Sets a value, like `set`. If the store is unavailable, the value is set as soon as it is back. */
  keep(name: string, value: string, ttlMs: number): Promise<void>;
  /** Deletes a value, like `delete`. If the store is unavailable, the value is deleted as soon as it is back. */
  discard(name: string, value?: string): Promise<void>;
}

/** Creates the store for one kind of value. Names of different kinds are independent. */
export type KeyValueStoreFactory = (kind: string) => KeyValueStore;

const MAX_ENTRIES = 10_000;
/** The maximum delay of a timer: 24 days. */
const MAX_TTL_MS = 2 ** 31 - 2;

/**
 * Stores values in the memory of this process: at most 10,000, of which the least recently used are dropped first. A
 * value is removed when it expires, because it may contain an address (ACCT-04).
 */
export class MemoryKeyValueStore implements KeyValueStore {
  // Its timers do not keep the process alive.
  readonly #values = new LRUCache<string, string>({ max: MAX_ENTRIES, ttl: 1, ttlAutopurge: true });

  get(name: string): Promise<string | undefined> {
    return Promise.resolve(this.#values.get(name));
  }

  set(name: string, value: string, ttlMs: number): Promise<void> {
    this.#values.set(name, value, { ttl: Math.min(Math.max(1, ttlMs), MAX_TTL_MS) });
    return Promise.resolve();
  }

  /** Sets a value unless it exists. Atomic, because nothing is awaited between the check and the write. */
  add(name: string, value: string, ttlMs: number): Promise<boolean> {
    if (this.#values.has(name)) return Promise.resolve(false);
    return this.set(name, value, ttlMs).then(() => true);
  }

  delete(name: string, value?: string): Promise<void> {
    if (value === undefined || this.#values.peek(name) === value) this.#values.delete(name);
    return Promise.resolve();
  }

  count(name: string, ttlMs: number, by = 1): Promise<number> {
    const count = Number(this.#values.get(name) ?? 0) + by;
    return this.set(name, String(count), ttlMs).then(() => count);
  }

  keep(name: string, value: string, ttlMs: number): Promise<void> {
    return this.set(name, value, ttlMs);
  }

  discard(name: string, value?: string): Promise<void> {
    return this.delete(name, value);
  }
}
