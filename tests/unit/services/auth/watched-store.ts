import { MemoryKeyValueStore } from '../../../../src/services/auth/key-value-store.js';

/** A store that records what it is asked to keep, and fails on demand. */
export class WatchedStore extends MemoryKeyValueStore {
  readonly written: [name: string, value: string, ttlMs: number][] = [];
  isAway = false;

  override get(name: string) {
    return this.isAway ? Promise.reject(new Error('away')) : super.get(name);
  }

  override set(name: string, value: string, ttlMs: number) {
    this.written.push([name, value, ttlMs]);
    return this.isAway ? Promise.reject(new Error('away')) : super.set(name, value, ttlMs);
  }
}
