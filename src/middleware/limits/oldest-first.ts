/**
 * A map that knows its oldest entry at once. A plain `Map` does not: what was deleted stands at its front until it is
 * rebuilt, and every new iteration walks over all of it, tens of thousands of gaps in a large map.
 */
export class OldestFirst<Value extends object> {
  readonly #entries = new Map<string, Value>();
  /** One walk for the whole life of the map: it never comes back to a gap. */
  #walk = this.#entries.entries();
  #oldest: readonly [string, Value] | undefined;

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Adds a key that is not there yet, as the youngest. */
  add(key: string, value: Value): void {
    this.#entries.set(key, value);
  }

  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** @returns the entry that has been there for the longest time */
  oldest(): readonly [string, Value] | undefined {
    if (this.size === 0) return undefined;
    while (this.#oldest === undefined || this.get(this.#oldest[0]) !== this.#oldest[1]) {
      const next = this.#walk.next();
      // A walk that has reached the end stays there: what has come since is all that there is.
      if (next.done) this.#walk = this.#entries.entries();
      else this.#oldest = next.value;
    }
    return this.#oldest;
  }
}
