/** How many of something each name has, such as the turns that a caller holds. */
export class Counts {
  readonly #counts = new Map<string, number>();
  #total = 0;

  /** All of them together. */
  get total(): number {
    return this.#total;
  }

  /** How many names have any. */
  get names(): number {
    return this.#counts.size;
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string): void {
    this.#counts.set(name, this.of(name) + 1);
    this.#total += 1;
  }

  remove(name: string): void {
    const count = this.of(name);
    if (count > 1) this.#counts.set(name, count - 1);
    else this.#counts.delete(name);
    if (count > 0) this.#total -= 1;
  }
}
