import { CancelledError } from '../../domain/errors/caller-errors.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import { SYSTEM_CLOCK, type Clock } from './resilience/clock.js';

/**
 * Signals once that a call is over, and with which error. It replaces `AbortSignal` inside the gateway: an
 * `AbortController` per call, with listeners at each stage, made a fifth fewer small calls per second (decision 2).
 */
export class Cancellation {
  #error: CrfError | undefined;
  #listeners: ((error: CrfError) => void)[] = [];

  /** The error the call ended with; `undefined` while it is running. */
  get error(): CrfError | undefined {
    return this.#error;
  }

  /** Ends the call. Only the first error counts. */
  cancel(error: CrfError): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener(error);
  }

  /** Listens for the end. A listener that subscribes after the end is not called, so check `error` first. */
  subscribe(listener: (error: CrfError) => void): void {
    this.#listeners.push(listener);
  }

  unsubscribe(listener: (error: CrfError) => void): void {
    const index = this.#listeners.indexOf(listener);
    if (index !== -1) this.#listeners.splice(index, 1);
  }

  /**
   * Waits until `begin` calls back.
   *
   * @param begin may return what makes it forget
   * @throws the error of the cancellation, if that comes first
   */
  async wait(begin: (done: () => void) => (() => void) | undefined): Promise<void> {
    if (this.#error !== undefined) throw this.#error;
    await new Promise<void>((resolve, reject) => {
      const onCancel = (error: CrfError): void => {
        forget?.();
        reject(error);
      };
      const forget = begin(() => {
        this.unsubscribe(onCancel);
        resolve();
      });
      this.subscribe(onCancel);
    });
  }
}

/** Returns the error of an aborted signal: its reason if that is a `CrfError`, otherwise a `CancelledError` with it. */
export function abortionOf({ reason }: AbortSignal): CrfError {
  return reason instanceof CrfError ? reason : new CancelledError({ cause: reason });
}

/** Ends a loop at the next row after an abort, although more rows may have arrived already. @throws as `abortionOf` */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortionOf(signal);
}

/** Cancels when the signal aborts. @returns a function that stops listening to the signal */
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

/** One timer for the successive stages of a call: starting a stage ends the previous one. */
export class StageTimer {
  #since = 0;
  #forget: (() => void) | undefined;

  constructor(private readonly clock: Clock = SYSTEM_CLOCK) {}

  start(milliseconds: number, onTimeout: () => void): void {
    this.stop();
    this.refresh();
    const wait = (left: number): void => {
      this.#forget = this.clock.schedule(left, () => {
        const more = this.#since + milliseconds - this.clock.now();
        if (more > 0) wait(more);
        else onTimeout();
      });
    };
    wait(milliseconds);
  }

  /** Restarts the time of the current stage, after some progress: what runs is only extended once it is over. */
  refresh(): void {
    this.#since = this.clock.now();
  }

  stop(): void {
    this.#forget?.();
    this.#forget = undefined;
  }
}
