import { Readable } from 'node:stream';
import { heard } from '../../domain/bytes/heard.js';
import { abortionOf } from '../../gateways/redcap/cancellation.js';

/**
 * A stream of the chunks of a generator. Unlike `Readable.from` it does not wait for the generator when it is
 * destroyed: a generator that is waiting for REDCap would otherwise notice too late that its reader has gone.
 */
export class GeneratorStream extends Readable {
  /**
   * @param onDestroy called immediately when the stream is destroyed, and after its end: cancels what the generator
   *   waits for
   */
  constructor(
    private readonly chunks: AsyncGenerator<Buffer, void, undefined>,
    private readonly onDestroy: () => void,
  ) {
    super();
    heard(this);
  }

  override _read(): void {
    this.chunks.next().then(
      ({ done, value }) => this.push(done ? null : value),
      (error: unknown) => this.destroy(error as Error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.onDestroy();
    // Any further error is caused by the cancellation, and there is no reader left to receive it.
    this.chunks.return().catch(() => undefined);
    callback(error);
  }
}

/**
 * Opens a stream of what is generated under a signal. It is aborted when the stream is destroyed, and after its end. An abort
 * of the caller destroys the stream: while its reader consumes nothing, nothing else would notice.
 */
export function generated(
  outer: AbortSignal | undefined,
  open: (signal: AbortSignal) => AsyncGenerator<Buffer, void, undefined>,
): Readable {
  const leaving = new AbortController();
  const signal = outer ? AbortSignal.any([outer, leaving.signal]) : leaving.signal;
  const body = new GeneratorStream(open(signal), () => leaving.abort());
  const onAbort = (): void => void body.destroy(abortionOf(signal));
  outer?.addEventListener('abort', onAbort, { once: true });
  return body.once('close', () => outer?.removeEventListener('abort', onAbort));
}
