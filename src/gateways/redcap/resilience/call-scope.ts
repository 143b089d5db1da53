import { CancelledError } from '../../../errors/caller-errors.js';
import { UpstreamTimeoutError } from '../../../errors/upstream-errors.js';
import { Cancellation, followSignal } from '../cancellation.js';
import type { Clock } from './clock.js';

/**
 * The lifetime of one call, including its waiting and its retries. It is cancelled when the caller's signal aborts,
 * when the total time is over, or when the client is closed.
 */
export class CallScope extends Cancellation {
  readonly #clock: Clock;
  readonly #deadline: number;
  readonly #forgetSignal: () => void;
  #forgetDeadline: (() => void) | undefined;

  constructor(signal: AbortSignal | undefined, totalMs: number, clock: Clock) {
    super();
    this.#clock = clock;
    this.#deadline = clock.now() + totalMs;
    this.#forgetDeadline = clock.schedule(totalMs, () => this.cancel(new UpstreamTimeoutError('total')));
    this.#forgetSignal = followSignal(this, signal);
  }

  get remainingMs(): number {
    return this.#deadline - this.#clock.now();
  }

  /** Cancels the call because the client is closed. */
  close(): void {
    this.cancel(new CancelledError());
  }

  /** Removes the time limit, because a stream has opened and may take any amount of time. */
  liftDeadline(): void {
    this.#forgetDeadline?.();
    this.#forgetDeadline = undefined;
  }

  dispose(): void {
    this.liftDeadline();
    this.#forgetSignal();
  }

  /** Waits, unless the call ends first. @throws the error the call ended with */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.error !== undefined) return reject(this.error);
      const onCancel = (error: Error): void => {
        forget();
        reject(error);
      };
      const forget = this.#clock.schedule(milliseconds, () => {
        this.unsubscribe(onCancel);
        resolve();
      });
      this.subscribe(onCancel);
    });
  }
}
