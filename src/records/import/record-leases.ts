import { OverloadedError, SharedStateUnavailableError } from '../../domain/errors/operator-errors.js';
import { Cancellation, followSignal } from '../../gateways/redcap/cancellation.js';
import { SYSTEM_CLOCK, type Clock } from '../../gateways/redcap/resilience/clock.js';
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

/** How long a change waits for other ones of the same records: about as long as a call to REDCap takes at most. */
export const PATIENCE_MS = 30_000;
/** How often another process is asked whether it is done. */
const ASK_AGAIN_MS = 25;
const NOTHING = (): void => undefined;

/**
 * Lets the changes of a record be made one after the other: between the look at what is stored and the call that
 * changes it, no other change of this service happens. While the shared leases are unavailable, this is so in each
 * process.
 */
export class RecordLeases {
  /** The last change of each record that is being changed. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(
    private readonly shared?: SharedLeases,
    private readonly clock: Clock = SYSTEM_CLOCK,
  ) {}

  /**
   * Does the work when no other change of these records is being made. Waits up to 30 seconds for the others, those of
   * this process and of other ones together.
   *
   * @throws {OverloadedError} they are being changed all the time; the work was not begun
   * @throws {CancelledError} the signal was aborted meanwhile; the work was not begun
   */
  async hold<Result>(
    records: Iterable<string>,
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const names = [...new Set([...records].map(foldedRecord))];
    const earlier = Promise.all(names.flatMap((name) => this.#last.get(name) ?? [])).then(NOTHING);
    let end = NOTHING;
    const own = new Promise<void>((resolve) => (end = resolve));
    // Whoever gives up while waiting does not bring the turn of those behind forward.
    const ended = earlier.then(() => own);
    // Queued at once for all records, so that no two changes wait for each other.
    for (const name of names) this.#last.set(name, ended);
    void ended.then(() => {
      for (const name of names) if (this.#last.get(name) === ended) this.#last.delete(name);
    });
    try {
      const giveBack = await this.#turn(names, earlier, signal);
      try {
        return await work();
      } finally {
        await giveBack?.();
      }
    } finally {
      end();
    }
  }

  /** Waits for the earlier changes and for other processes. @returns what gives the shared leases back */
  async #turn(
    names: readonly string[],
    earlier: Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<(() => Promise<void>) | undefined> {
    const waiting = new Cancellation();
    const unfollow = followSignal(waiting, signal);
    const forget = this.clock.schedule(PATIENCE_MS, () => waiting.cancel(new OverloadedError()));
    try {
      await waiting.wait((done) => void earlier.then(done));
      return await this.#take(names, waiting);
    } finally {
      forget();
      unfollow();
    }
  }

  async #take(names: readonly string[], waiting: Cancellation): Promise<(() => Promise<void>) | undefined> {
    if (this.shared === undefined) return undefined;
    for (;;) {
      try {
        const giveBack = await this.shared.take(names);
        if (giveBack !== undefined) {
          if (waiting.error === undefined) return giveBack;
          await giveBack();
        }
      } catch (error) {
        if (!(error instanceof SharedStateUnavailableError)) throw error;
        if (waiting.error === undefined) return undefined;
      }
      await waiting.wait((done) => this.clock.schedule(ASK_AGAIN_MS, done));
    }
  }
}
