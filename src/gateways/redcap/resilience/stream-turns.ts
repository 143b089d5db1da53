/**
 * The turns that streams can take. A quarter of all turns, and at least one if there are several, is reserved for short
 * calls. A named caller holds at most two thirds of the rest, so that its slow readers do not block the others.
 */
export class StreamTurns {
  readonly #limit: number;
  readonly #share: number;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  /** @param concurrency the number of all turns */
  constructor(concurrency: number) {
    const kept = concurrency === 1 ? 0 : Math.max(1, Math.floor(concurrency / 4));
    this.#limit = concurrency - kept;
    this.#share = Math.ceil((this.#limit * 2) / 3);
  }

  /** @param caller empty for a client that serves a single program, which can take all of them */
  isFreeFor(caller: string): boolean {
    if (this.#held >= this.#limit) return false;
    return caller === '' || (this.#heldBy.get(caller) ?? 0) < this.#share;
  }

  take(caller: string): void {
    this.#held += 1;
    this.#heldBy.set(caller, (this.#heldBy.get(caller) ?? 0) + 1);
  }

  giveBack(caller: string): void {
    this.#held -= 1;
    const held = (this.#heldBy.get(caller) ?? 1) - 1;
    if (held === 0) this.#heldBy.delete(caller);
    else this.#heldBy.set(caller, held);
  }
}
