import { CancelledError } from '../../errors/caller-errors.js';
import { CrfError } from '../../errors/crf-error.js';

/**
 * Says once that a call is over, and with which error. Inside the gateway it stands for an `AbortSignal`, which is
 * slow to make and to listen to for something that every call needs and hardly any call uses.
 */
export class Cancellation {
  #error: CrfError | undefined;
  #listeners: ((error: CrfError) => void)[] = [];

  /** Why the call is over; `undefined` while it is not. */
  get error(): CrfError | undefined {
    return this.#error;
  }

  /** Ends the call; only the first error counts. */
  cancel(error: CrfError): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener(error);
  }

  /** Listens for the end. Who listens after it hears nothing: ask `error` first. */
  subscribe(listener: (error: CrfError) => void): void {
    this.#listeners.push(listener);
  }

  unsubscribe(listener: (error: CrfError) => void): void {
    const index = this.#listeners.indexOf(listener);
    if (index !== -1) this.#listeners.splice(index, 1);
  }
}

/** The error of an aborted signal: its reason, when that is one of ours, or a `CancelledError`. */
export function abortionOf(signal: AbortSignal): CrfError {
  return signal.reason instanceof CrfError ? signal.reason : new CancelledError();
}

/** Cancels when the signal aborts. @returns stops listening to the signal */
export function followSignal(cancellation: Cancellation, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    cancellation.cancel(abortionOf(signal));
    return () => undefined;
  }
  const onAbort = (): void => cancellation.cancel(abortionOf(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}
