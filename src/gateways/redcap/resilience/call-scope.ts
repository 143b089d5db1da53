import { CancelledError } from '../../../errors/caller-errors.js';
import { UpstreamTimeoutError } from '../../../errors/upstream-errors.js';
import { Cancellation, followSignal } from '../cancellation.js';
import type { Clock } from './clock.js';

/**
 * The life of one call over its waiting and its retries: it is cancelled when the caller's signal says so, when the
 * total time is over, or when the client is closed.
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

  /** The client is closed. */
  close(): void {
    this.cancel(new CancelledError());
  }

  /** From here on the call may take as long as it takes: a stream has opened. */
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
