import { Readable } from 'node:stream';

/**
 * The chunks of a generator as a stream. Other than `Readable.from` it does not wait for the generator when it is
 * destroyed: one that waits for REDCap would learn only afterwards that its reader has gone.
 */
export class GeneratorStream extends Readable {
  readonly #chunks: AsyncGenerator<Buffer, void, undefined>;
  readonly #onDestroy: () => void;

  /** @param onDestroy called at once when the stream is destroyed, and after its end: cancels what the generator waits for */
  constructor(chunks: AsyncGenerator<Buffer, void, undefined>, onDestroy: () => void) {
    super();
    this.#chunks = chunks;
    this.#onDestroy = onDestroy;
  }

  override _read(): void {
    this.#chunks.next().then(
      ({ done, value }) => this.push(done ? null : value),
      (error: unknown) => this.destroy(error as Error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#onDestroy();
    // What it still fails with is the cancellation: nobody is left to hear of it.
    this.#chunks.return().catch(() => undefined);
    callback(error);
  }
}
