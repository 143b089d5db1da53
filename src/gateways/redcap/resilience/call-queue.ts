import { OverloadedError } from '../../../errors/overloaded-error.js';
import type { Cancellation } from '../cancellation.js';
import type { Clock } from './clock.js';

export interface CallQueueOptions {
  readonly concurrency: number;
  readonly queueLimit: number;
  readonly queueWaitMs: number;
}

interface Waiter {
  readonly caller: string;
  /** Gives the turn, or refuses it with an error. */
  readonly settle: (error?: Error) => void;
}

/**
 * Lets a few calls through at once; the others wait for a short time, in turn from caller to caller. When the queue is
 * full, the caller that fills it most makes room for one that waits for less.
 */
export class CallQueue {
  readonly #options: CallQueueOptions;
  readonly #clock: Clock;
  /** Who waits, by caller. The order of the callers is the order of their turns. */
  readonly #waiting = new Map<string, Waiter[]>();
  #waitingCount = 0;
  #running = 0;

  constructor(options: CallQueueOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * Waits for a turn.
   *
   * @returns gives the turn back; to be called once, further calls do nothing
   * @throws {OverloadedError} the queue is full, or the wait was too long
   */
  async enter(caller: string, cancellation: Cancellation): Promise<() => void> {
    if (cancellation.error !== undefined) throw cancellation.error;
    if (this.#running >= this.#options.concurrency) await this.#wait(caller, cancellation);
    else this.#running += 1;
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      this.#next();
    };
  }

  #wait(caller: string, cancellation: Cancellation): Promise<void> {
    this.#makeRoomFor(caller);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        caller,
        settle: (error) => {
          forget();
          cancellation.unsubscribe(waiter.settle);
          this.#remove(waiter);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      const forget = this.#clock.schedule(this.#options.queueWaitMs, () => waiter.settle(this.#refusal()));
      cancellation.subscribe(waiter.settle);
      this.#add(waiter);
    });
  }

  /** Hands the turn on, so that it is never free between two: to the caller whose turn it is. */
  #next(): void {
    const [first] = this.#waiting;
    const waiter = first?.[1][0];
    if (first === undefined || waiter === undefined) {
      this.#running -= 1;
      return;
    }
    const [caller, waiters] = first;
    this.#waiting.delete(caller);
    this.#waiting.set(caller, waiters);
    waiter.settle();
  }

  #add(waiter: Waiter): void {
    const waiters = this.#waiting.get(waiter.caller);
    if (waiters === undefined) this.#waiting.set(waiter.caller, [waiter]);
    else waiters.push(waiter);
    this.#waitingCount += 1;
  }

  #remove(waiter: Waiter): void {
    const waiters = this.#waiting.get(waiter.caller) ?? [];
    const index = waiters.indexOf(waiter);
    if (index === -1) return;
    waiters.splice(index, 1);
    this.#waitingCount -= 1;
    if (waiters.length === 0) this.#waiting.delete(waiter.caller);
  }

  #makeRoomFor(caller: string): void {
    if (this.#waitingCount < this.#options.queueLimit) return;
    const own = this.#waiting.get(caller)?.length ?? 0;
    const longest = [...this.#waiting.values()].reduce<Waiter[]>(
      (most, waiters) => (waiters.length > most.length ? waiters : most),
      [],
    );
    const last = longest.at(-1);
    if (last === undefined || longest.length <= own + 1) throw this.#refusal();
    last.settle(this.#refusal());
  }

  #refusal(): OverloadedError {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.#options.queueWaitMs / 1000));
    return new OverloadedError({ retryAfterSeconds });
  }
}
