/**
 * A map with fast access to its oldest entry. A plain `Map` keeps the gaps of deleted entries at its front until it is
 * rehashed, and every new iteration walks over all of them, which may be tens of thousands in a large map.
 */
export class OldestFirst<Value extends object> extends Map<string, Value> {
  /** A single iterator that is kept, so that it never returns to a gap. */
  #walk = this.entries();
  #oldest: readonly [string, Value] | undefined;

  /** Returns the oldest entry. */
  oldest(): readonly [string, Value] | undefined {
    if (this.size === 0) return undefined;
    while (this.#oldest === undefined || this.get(this.#oldest[0]) !== this.#oldest[1]) {
      const next = this.#walk.next();
      // A finished iterator stays finished, but entries may have been added since.
      if (next.done) this.#walk = this.entries();
      else this.#oldest = next.value;
    }
    return this.#oldest;
  }
}
