/**
 * Small values by name, each with a time to live: what the sign-in remembers. In memory for one process, or where all
 * replicas find it. Every method may reject with `SharedStateUnavailableError`, but for `keep` and `discard`.
 */
export interface KeyValueStore {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string, ttlMs: number): Promise<void>;
  /** Sets a value that is not there yet. @returns whether this call did: of several at once, one */
  add(name: string, value: string, ttlMs: number): Promise<boolean>;
  /** @param value when given, only this one is deleted */
  delete(name: string, value?: string): Promise<void>;
  /** Adds to a counter; the time to live begins anew. @returns its new value */
  count(name: string, ttlMs: number, by?: number): Promise<number>;
  /** As `set`; when the store is away, as soon as it is back. */
  keep(name: string, value: string, ttlMs: number): Promise<void>;
  /** As `delete`; when the store is away, as soon as it is back. */
  discard(name: string, value?: string): Promise<void>;
}

/** Makes the store of one kind of values: names of different kinds have nothing to do with each other. */
export type KeyValueStoreFactory = (kind: string) => KeyValueStore;
