import { Transform, type TransformCallback } from 'node:stream';

const [QUOTE, BACKSLASH, BRACE, LINE_FEED] = [0x22, 0x5c, 0x7d, 0x0a];

/** Lets bytes through and counts the rows in them: what stands inside quotes ends none. */
export class RowCounter extends Transform {
  rows = 0;
  #bytes = 0;
  #isQuoted = false;
  #isEscaped = false;
  readonly #end: number;

  /** @param onProgress called after each chunk */
  constructor(
    private readonly format: 'json' | 'ndjson' | 'csv',
    private readonly onProgress: (rows: number, bytes: number) => void,
  ) {
    super();
    this.#end = format === 'json' ? BRACE : LINE_FEED;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    for (const byte of chunk) this.#look(byte);
    this.onProgress(this.rows, this.#bytes);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    if (this.format === 'csv' && this.rows > 0) this.rows -= 1; // the header
    done();
  }

  #look(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
    else if (byte === BACKSLASH && this.#isQuoted && this.format !== 'csv') this.#isEscaped = true;
    else if (byte === this.#end && !this.#isQuoted) this.rows += 1;
  }
}
