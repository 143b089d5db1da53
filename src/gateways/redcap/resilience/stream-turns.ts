/**
 * The turns that streams may take of all turns. A quarter of all, and at least one where there are several, is left to
 * short calls; a caller with a name holds at most two thirds of the rest, so that its slow readers do not stop the others.
 */
export class StreamTurns {
  readonly #limit: number;
  readonly #share: number;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  /** @param concurrency turns in all */
  constructor(concurrency: number) {
    const kept = concurrency === 1 ? 0 : Math.max(1, Math.floor(concurrency / 4));
    this.#limit = concurrency - kept;
    this.#share = Math.ceil((this.#limit * 2) / 3);
  }

  /** @param caller empty for a client that serves one program alone: it has all of them */
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
