import type { Transport } from '../redcap-transport.js';
import type { TransportCallOptions } from '../transport-options.js';
import { actionOf, contentOf, outcomeOf, type CallObserver } from './call-observer.js';

/** Reports every request that is sent to REDCap to an observer. */
export class ObservedTransport implements Transport {
  readonly #transport: Transport;
  readonly #observer: CallObserver;
  /** The attempts of one call share its cancellation, so a cancellation seen before means a retry. */
  readonly #calls = new WeakSet<object>();

  constructor(transport: Transport, observer: CallObserver) {
    this.#transport = transport;
    this.#observer = observer;
  }

  readonly text: Transport['text'] = (parameters, pattern, options) =>
    this.#sent(parameters, options, () => this.#transport.text(parameters, pattern, options));

  readonly json: Transport['json'] = (parameters, schema, options) =>
    this.#sent(parameters, options, () => this.#transport.json(parameters, schema, options));

  readonly stream: Transport['stream'] = (parameters, form, options) =>
    this.#sent(parameters, options, () => this.#transport.stream(parameters, form, options));

  readonly download: Transport['download'] = (parameters, form, options) =>
    this.#sent(parameters, options, () => this.#transport.download(parameters, form, options));

  readonly upload: Transport['upload'] = (parameters, file, options) =>
    this.#sent(parameters, options, () => this.#transport.upload(parameters, file, options));

  close(): void {
    this.#transport.close();
  }

  async #sent<Value>(
    parameters: object,
    options: TransportCallOptions | undefined,
    send: () => Promise<Value>,
  ): Promise<Value> {
    const answered = this.#observer.sent(contentOf(parameters), this.#isRetry(options), actionOf(parameters));
    try {
      const value = await send();
      answered('ok');
      return value;
    } catch (error) {
      answered(outcomeOf(error));
      throw error;
    }
  }

  #isRetry({ cancellation }: TransportCallOptions = {}): boolean {
    if (cancellation === undefined) return false;
    const isRetry = this.#calls.has(cancellation);
    this.#calls.add(cancellation);
    return isRetry;
  }
}
