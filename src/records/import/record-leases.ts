import { setTimeout } from 'node:timers/promises';
import { OverloadedError, SharedStateUnavailableError } from '../../errors/operator-errors.js';
import { abortionOf } from '../../gateways/redcap/cancellation.js';
import { foldedRecord } from './confirmed-count.js';

/** Leases that several processes share. */
export interface SharedLeases {
  /**
   * Takes the leases of records, all or none.
   *
   * @returns what gives them back, which never fails; undefined if another process has one of them
   * @throws {SharedStateUnavailableError} the leases are unavailable
   */
  take(records: readonly string[]): Promise<(() => Promise<void>) | undefined>;
}

/** How long a change waits for another one of the same record: about as long as a call to REDCap takes at most. */
const PATIENCE_MS = 30_000;
/** How often another process is asked whether it is done. */
const ASK_AGAIN_MS = 25;
const NOTHING = (): void => undefined;

/**
 * Lets the changes of a record be made one after the other: between the look at what is stored and the call that
 * changes it, no other change of this service happens. While the shared leases are unavailable, this is so in each
 * process.
 */
export class RecordLeases {
  readonly #shared: SharedLeases | undefined;
  /** The last change of each record that is being changed. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(shared?: SharedLeases) {
    this.#shared = shared;
  }

  /**
   * Does the work when no other change of these records is being made.
   *
   * @throws {OverloadedError} they are being changed all the time; the work was not begun
   */
  hold<Result>(
    records: Iterable<string>,
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const names = [...new Set([...records].map(foldedRecord))];
    const earlier = names.flatMap((name) => this.#last.get(name) ?? []);
    const made = Promise.all(earlier).then(() => this.#inTurn(names, signal, work));
    // Queued at once for all records, so that no two changes wait for each other.
    const ended = made.then(NOTHING, NOTHING);
    for (const name of names) this.#last.set(name, ended);
    void ended.then(() => {
      for (const name of names) if (this.#last.get(name) === ended) this.#last.delete(name);
    });
    return made;
  }

  async #inTurn<Result>(
    names: readonly string[],
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const giveBack = await this.#take(names, signal);
    try {
      if (signal?.aborted) throw abortionOf(signal);
      return await work();
    } finally {
      await giveBack?.();
    }
  }

  async #take(
    names: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<(() => Promise<void>) | undefined> {
    if (this.#shared === undefined) return undefined;
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline && !signal?.aborted) {
      try {
        const giveBack = await this.#shared.take(names);
        if (giveBack !== undefined) return giveBack;
      } catch (error) {
        if (error instanceof SharedStateUnavailableError) return undefined;
        throw error;
      }
      await setTimeout(ASK_AGAIN_MS);
    }
    throw signal?.aborted ? abortionOf(signal) : new OverloadedError();
  }
}
