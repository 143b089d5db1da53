/**
 * The calls that imports may have under way beside the one that each of them always may: of all imports of a service
 * together, so that many imports at once do not take all turns of the client.
 */
export class SpareCalls {
  #free: number;

  /** @param limit how many there are */
  constructor(limit: number) {
    this.#free = limit;
  }

  /** @returns whether there was one; it is to be given back */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  giveBack(): void {
    this.#free++;
  }
}
