/**
 * The concurrent calls that imports may make beyond the one that each of them always has. They are shared by all
 * imports of a service, so that simultaneous imports do not take all slots of the client.
 */
export class SpareCalls {
  #free: number;

  /** @param limit the number of spare calls */
  constructor(limit: number) {
    this.#free = limit;
  }

  /** @returns whether a call was available; return it with `giveBack` */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  giveBack(): void {
    this.#free++;
  }
}
