import { CancelledError } from '../../../errors/cancelled-error.js';
import { UpstreamTimeoutError } from '../../../errors/upstream-timeout-error.js';
import { abortionOf } from '../network-cause.js';
import type { Clock } from './clock.js';

/**
 * The life of one call over its waiting and its retries: it ends when the caller's signal says so, when the total
 * time is over, or when the client is closed. Its `signal` aborts with the error to reject with.
 */
export class CallScope {
  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #clock: Clock;
  readonly #deadline: number;
  #forgetDeadline: (() => void) | undefined;

  constructor(callerSignal: AbortSignal | undefined, totalMs: number, clock: Clock) {
    this.#callerSignal = callerSignal;
    this.#clock = clock;
    this.#deadline = clock.now() + totalMs;
    this.#forgetDeadline = clock.schedule(totalMs, () => this.end(new UpstreamTimeoutError('total')));
    if (callerSignal?.aborted) this.#onCallerAbort();
    else callerSignal?.addEventListener('abort', this.#onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get remainingMs(): number {
    return this.#deadline - this.#clock.now();
  }

  /** Ends the call with an error. */
  end(reason: Error = new CancelledError()): void {
    this.#controller.abort(reason);
  }

  /** From here on the call may take as long as it takes: a stream has opened. */
  liftDeadline(): void {
    this.#forgetDeadline?.();
    this.#forgetDeadline = undefined;
  }

  dispose(): void {
    this.liftDeadline();
    this.#callerSignal?.removeEventListener('abort', this.#onCallerAbort);
  }

  /** Waits, unless the call ends first. @throws the error the call ended with */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) return reject(abortionOf(this.signal));
      const onAbort = (): void => {
        forget();
        reject(abortionOf(this.signal));
      };
      const forget = this.#clock.schedule(milliseconds, () => {
        this.signal.removeEventListener('abort', onAbort);
        resolve();
      });
      this.signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  readonly #onCallerAbort = (): void => this.end(new CancelledError());
}
