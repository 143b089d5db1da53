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
