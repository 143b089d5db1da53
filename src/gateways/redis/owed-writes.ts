/** The maximum number of kept writes. The oldest is dropped first. */
const MAX_OWED = 10_000;

/** Writes that could not be made during a Redis outage and are made when Redis is back. */
export class OwedWrites {
  readonly #owed = new Map<string, () => Promise<unknown>>();
  #settling: Promise<void> | undefined;

  get size(): number {
    return this.#owed.size;
  }

  /** @param name of two writes with the same name, only the later one is made */
  owe(name: string, write: () => Promise<unknown>): void {
    this.#owed.delete(name);
    this.#owed.set(name, write);
    if (this.#owed.size <= MAX_OWED) return;
    const [oldest] = this.#owed.keys();
    if (oldest !== undefined) this.#owed.delete(oldest);
  }

  /** Drops a write that is no longer needed. */
  forget(name: string): void {
    this.#owed.delete(name);
  }

  /** Makes the writes in order and stops at the first failure. Never rejects. */
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
