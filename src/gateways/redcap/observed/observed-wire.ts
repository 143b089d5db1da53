import type { Readable } from 'node:stream';
import { UpstreamUnavailableError } from '../../../errors/upstream-errors.js';
import type { RedcapWire } from '../redcap-wire.js';
import { actionOf, contentOf, outcomeOf, rowsOf, type CallObserver } from './call-observer.js';

/** Reports every operation to an observer, including its waiting time and retries. */
export class ObservedWire implements RedcapWire {
  readonly #wire: RedcapWire;
  readonly #observer: CallObserver;
  #isCircuitOpen = false;

  constructor(wire: RedcapWire, observer: CallObserver) {
    this.#wire = wire;
    this.#observer = observer;
  }

  readonly text: RedcapWire['text'] = (parameters, ...rest) =>
    this.#call(parameters, () => this.#wire.text(parameters, ...rest));

  readonly json: RedcapWire['json'] = (parameters, ...rest) =>
    this.#call(parameters, () => this.#wire.json(parameters, ...rest));

  readonly upload: RedcapWire['upload'] = (parameters, ...rest) =>
    this.#call(parameters, () => this.#wire.upload(parameters, ...rest));

  readonly stream: RedcapWire['stream'] = (parameters, ...rest) =>
    this.#stream(
      parameters,
      () => this.#wire.stream(parameters, ...rest),
      (stream) => stream,
    );

  readonly download: RedcapWire['download'] = (parameters, ...rest) =>
    this.#stream(
      parameters,
      () => this.#wire.download(parameters, ...rest),
      ({ body }) => body,
    );

  close(): void {
    this.#wire.close();
  }

  async #call<Value>(parameters: object, send: () => Promise<Value>): Promise<Value> {
    const ended = this.#observer.began(contentOf(parameters), 'call', actionOf(parameters));
    try {
      const value = await send();
      this.#settle((outcome) => ended(outcome, rowsOf(value)));
      return value;
    } catch (error) {
      this.#settle(ended, error);
      throw error;
    }
  }

  async #stream<Value>(
    parameters: object,
    open: () => Promise<Value>,
    bytesOf: (value: Value) => Readable,
  ): Promise<Value> {
    const ended = this.#observer.began(contentOf(parameters), 'stream', actionOf(parameters));
    try {
      const value = await open();
      const bytes = bytesOf(value);
      const settle = (): void => this.#settle(ended, bytes.errored ?? undefined);
      if (bytes.closed) settle();
      else bytes.once('close', settle);
      return value;
    } catch (error) {
      this.#settle(ended, error);
      throw error;
    }
  }

  /**
   * Derives the state of the circuit from the outcome of a call: a `circuit open` refusal means open, success means
   * closed, and other errors leave it unchanged.
   */
  #settle(ended: (outcome: string) => void, error?: unknown): void {
    ended(error === undefined ? 'ok' : outcomeOf(error));
    const isRefused = error instanceof UpstreamUnavailableError && error.phase === 'circuit open';
    if (isRefused === this.#isCircuitOpen || (error !== undefined && !isRefused)) return;
    this.#isCircuitOpen = isRefused;
    this.#observer.circuitChanged(isRefused);
  }
}
