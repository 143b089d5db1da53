/** The maximum number of kept writes. The oldest is dropped first. */
const MAX_OWED = 10_000;
/** How often writes are tried again that failed although Redis is available. */
const RETRY_MS = 5_000;

type Write = () => Promise<unknown>;

interface Owed {
  readonly write: Write;
  /** Its place among all writes, by the time they were begun. They can fail in another order. */
  readonly place: number;
}

/** Writes that could not be made, usually during a Redis outage, and are made later. */
export class OwedWrites {
  readonly #owed = new Map<string, Owed>();
  #settling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastPlace = 0;

  /** @param isUp whether Redis is available, so that trying makes sense */
  constructor(
    private readonly isUp: () => boolean,
    private readonly retryMs = RETRY_MS,
  ) {}

  get size(): number {
    return this.#owed.size;
  }

  /** @param name of two writes with the same name, only the later one is made */
  owe(name: string, write: Write): void {
    this.#owe(name, { write, place: this.#nextPlace() });
  }

  /** Makes a write now, or later if it fails. It takes the place of an owed one with the same name. Never rejects. */
  async make(name: string, write: Write): Promise<void> {
    const place = this.#nextPlace();
    // Forgotten before the write, so that the older one cannot be made after it.
    this.#owed.delete(name);
    try {
      await write();
      this.#forgetBefore(place, name);
    } catch {
      this.#owe(name, { write, place });
    }
  }

  /**
   * Makes a write that takes the place of an owed one with the same name. If it fails, the older one is still owed.
   *
   * @throws what the write throws
   */
  async replace<Answer>(name: string, write: () => Promise<Answer>): Promise<Answer> {
    const place = this.#nextPlace();
    const older = this.#owed.get(name);
    this.#owed.delete(name);
    try {
      const answer = await write();
      this.#forgetBefore(place, name);
      return answer;
    } catch (error) {
      if (older !== undefined) this.#owe(name, older);
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

  #nextPlace(): number {
    return (this.#lastPlace += 1);
  }

  #owe(name: string, owed: Owed): void {
    const known = this.#owed.get(name);
    if (known !== undefined && known.place > owed.place) return;
    this.#owed.delete(name);
    this.#owed.set(name, owed);
    this.#timer ??= setInterval(() => void this.settle(), this.retryMs).unref();
    if (this.#owed.size <= MAX_OWED) return;
    const [oldest] = this.#owed.keys();
    if (oldest !== undefined) this.#owed.delete(oldest);
  }

  /** Forgets an older write that failed while the newer one was being made. */
  #forgetBefore(place: number, name: string): void {
    const owed = this.#owed.get(name);
    if (owed !== undefined && owed.place < place) this.#owed.delete(name);
  }

  async #makeAll(): Promise<void> {
    for (const [name, owed] of [...this.#owed]) {
      if (!this.isUp()) return;
      // Since the settling began, it may have been replaced.
      if (this.#owed.get(name) !== owed) continue;
      try {
        await owed.write();
      } catch {
        continue;
      }
      if (this.#owed.get(name) === owed) this.#owed.delete(name);
    }
    if (this.#owed.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
