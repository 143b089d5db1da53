/**
 * A map with fast access to its oldest entry. A plain `Map` keeps the gaps of deleted entries at its front until it is
 * rehashed, and every new iteration walks over all of them, which may be tens of thousands in a large map.
 */
export class OldestFirst<Value extends object> {
  readonly #entries = new Map<string, Value>();
  /** A single iterator that is kept, so that it never returns to a gap. */
  #walk = this.#entries.entries();
  #oldest: readonly [string, Value] | undefined;

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Adds a new key as the youngest. */
  add(key: string, value: Value): void {
    this.#entries.set(key, value);
  }

  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Returns the oldest entry. */
  oldest(): readonly [string, Value] | undefined {
    if (this.size === 0) return undefined;
    while (this.#oldest === undefined || this.get(this.#oldest[0]) !== this.#oldest[1]) {
      const next = this.#walk.next();
      // A finished iterator stays finished, but entries may have been added since.
      if (next.done) this.#walk = this.#entries.entries();
      else this.#oldest = next.value;
    }
    return this.#oldest;
  }
}
