/** Minimum time between two passes, because a pass may read every record. */
const FRESH_MS = 600_000;

/** Counts that are made in one pass. The result is shared by concurrent requests and cached. */
export class KeptCounts<Counts extends { readonly madeAt: string }> {
  readonly #pass: () => Promise<Counts>;
  readonly #clock: () => Date;
  #known: Counts | undefined;
  #pending: Promise<Counts> | undefined;

  /** @param pass makes the counts, which say in `madeAt` when it began, in ISO 8601 */
  constructor(pass: () => Promise<Counts>, clock: () => Date) {
    this.#pass = pass;
    this.#clock = clock;
  }

  /**
   * Returns the cached counts. They may be ten minutes old, or older while a new pass is running. Without cached
   * counts, waits for the first pass.
   *
   * @throws {CrfError} errors of the pass, while there are no cached counts
   */
  async counts(): Promise<Counts> {
    const known = this.#known;
    const ageMs = known === undefined ? Infinity : this.#clock().getTime() - Date.parse(known.madeAt);
    if (known !== undefined && ageMs < FRESH_MS) return known;
    const pass = this.#count();
    if (known === undefined) return pass;
    pass.catch(() => undefined); // the old counts remain valid and state when they were made
    return known;
  }

  /**
   * Starts a pass, or joins the running one. It is not cancelled with a request, because others may wait for its
   * result.
   */
  #count(): Promise<Counts> {
    this.#pending ??= this.#pass()
      .then((counts) => (this.#known = counts))
      .finally(() => (this.#pending = undefined));
    return this.#pending;
  }
}
