/** The maximum number of kept writes. The oldest is dropped first. */
const MAX_OWED = 10_000;
/** How often writes are tried again that failed although Redis is available. */
const RETRY_MS = 5_000;

type Write = () => Promise<unknown>;

/** Writes that could not be made, usually during a Redis outage, and are made later. */
export class OwedWrites {
  readonly #owed = new Map<string, Write>();
  readonly #isUp: () => boolean;
  readonly #retryMs: number;
  #settling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param isUp whether Redis is available, so that trying makes sense */
  constructor(isUp: () => boolean, retryMs = RETRY_MS) {
    this.#isUp = isUp;
    this.#retryMs = retryMs;
  }

  get size(): number {
    return this.#owed.size;
  }

  /** @param name of two writes with the same name, only the later one is made */
  owe(name: string, write: Write): void {
    this.#owed.delete(name);
    this.#owed.set(name, write);
    this.#timer ??= setInterval(() => void this.settle(), this.#retryMs).unref();
    if (this.#owed.size <= MAX_OWED) return;
    const [oldest] = this.#owed.keys();
    if (oldest !== undefined) this.#owed.delete(oldest);
  }

  /** Makes a write now, or later if it fails. It takes the place of an owed one with the same name. Never rejects. */
  async make(name: string, write: Write): Promise<void> {
    // Forgotten before the write, so that the older one cannot be made after it.
    this.#owed.delete(name);
    try {
      await write();
    } catch {
      this.owe(name, write);
    }
  }

  /**
   * Makes a write that takes the place of an owed one with the same name. If it fails, the older one is still owed.
   *
   * @throws what the write throws
   */
  async replace<Answer>(name: string, write: () => Promise<Answer>): Promise<Answer> {
    const older = this.#owed.get(name);
    this.#owed.delete(name);
    try {
      return await write();
    } catch (error) {
      if (older !== undefined && !this.#owed.has(name)) this.owe(name, older);
      throw error;
    }
  }

  /** Makes the writes in order, as long as Redis is available. One that fails does not hold up the others. */
  settle(): Promise<void> {
    this.#settling ??= this.#makeAll().finally(() => (this.#settling = undefined));
    return this.#settling;
  }

  /** Stops trying. */
  close(): void {
    clearInterval(this.#timer);
  }

  async #makeAll(): Promise<void> {
    for (const [name, write] of [...this.#owed]) {
      if (!this.#isUp()) return;
      // Since the settling began, it may have been replaced.
      if (this.#owed.get(name) !== write) continue;
      try {
        await write();
      } catch {
        continue;
      }
      if (this.#owed.get(name) === write) this.#owed.delete(name);
    }
    if (this.#owed.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
