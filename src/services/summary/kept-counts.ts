import { setTimeout } from 'node:timers/promises';

/** How old counts may be that are returned at once. For older ones, the new ones are awaited for a moment. */
const TOO_OLD_MS = 24 * 3_600_000;
const PATIENCE_MS = 1500;

/**
 * Counts that are made in one pass, because a pass may read every record. The result is shared by concurrent requests,
 * cached, and made anew in the background when it is no longer fresh.
 */
export class KeptCounts<Counts> {
  #known: { readonly counts: Counts; readonly at: number } | undefined;
  #pending: Promise<Counts> | undefined;
  #failedAt: string | undefined;

  /** @param freshMs the minimum time between two passes */
  constructor(
    private readonly pass: () => Promise<Counts>,
    private readonly clock: () => Date,
    private readonly freshMs: number,
  ) {}

  /** When the last pass failed, in ISO 8601; undefined if it succeeded. */
  get failedAt(): string | undefined {
    return this.#failedAt;
  }

  /**
   * Returns the cached counts. They may be older than fresh while a new pass is running, or if it failed. Without cached
   * counts, waits for the first pass.
   *
   * @throws {CrfError} errors of the pass, while there are no cached counts
   */
  async counts(): Promise<Counts> {
    const known = this.#known;
    const ageMs = known === undefined ? Infinity : this.clock().getTime() - known.at;
    if (known !== undefined && ageMs < this.freshMs) return known.counts;
    const pass = this.#count();
    if (known === undefined) return pass;
    const orOld = pass.catch(() => known.counts); // the old counts remain valid and state when they were made
    if (ageMs <= TOO_OLD_MS) return known.counts;
    return Promise.race([orOld, setTimeout(PATIENCE_MS, known.counts, { ref: false })]);
  }

  /**
   * Starts a pass, or joins the running one. It is not cancelled with a request, because others may wait for its
   * result.
   */
  #count(): Promise<Counts> {
    this.#pending ??= this.pass()
      .then(
        (counts) => {
          this.#failedAt = undefined;
          this.#known = { counts, at: this.clock().getTime() };
          return counts;
        },
        (error: unknown) => {
          this.#failedAt = this.clock().toISOString();
          throw error;
        },
      )
      .finally(() => (this.#pending = undefined));
    return this.#pending;
  }
}
