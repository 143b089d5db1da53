/** Writes that are kept at most; the oldest goes first. */
const MAX_OWED = 10_000;

/** Writes that could not be made while Redis was away, and are made once it is back. */
export class OwedWrites {
  readonly #owed = new Map<string, () => Promise<unknown>>();
  #settling: Promise<void> | undefined;

  get size(): number {
    return this.#owed.size;
  }

  /** @param name of two writes of one name the later is made */
  owe(name: string, write: () => Promise<unknown>): void {
    this.#owed.delete(name);
    this.#owed.set(name, write);
    if (this.#owed.size <= MAX_OWED) return;
    const [oldest] = this.#owed.keys();
    if (oldest !== undefined) this.#owed.delete(oldest);
  }

  /** The write is not wanted any longer. */
  forget(name: string): void {
    this.#owed.delete(name);
  }

  /** Makes them in their order; stops at the first that fails. Never rejects. */
  settle(): Promise<void> {
    this.#settling ??= this.#makeAll().finally(() => (this.#settling = undefined));
    return this.#settling;
  }

  async #makeAll(): Promise<void> {
    for (const [name, write] of [...this.#owed]) {
      try {
        await write();
      } catch {
        return;
      }
      if (this.#owed.get(name) === write) this.#owed.delete(name);
    }
  }
}
