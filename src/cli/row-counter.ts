import { Transform, type TransformCallback } from 'node:stream';

const [QUOTE, BACKSLASH, BRACE, LINE_FEED] = [0x22, 0x5c, 0x7d, 0x0a];

/** Lets bytes through and counts the rows in them: what stands inside quotes ends none. */
export class RowCounter extends Transform {
  rows = 0;
  #bytes = 0;
  #isQuoted = false;
  #isEscaped = false;

  /** @param onProgress called after each chunk */
  constructor(
    private readonly format: 'json' | 'ndjson' | 'csv',
    private readonly onProgress: (rows: number, bytes: number) => void,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.format === 'ndjson') this.#countLines(chunk);
    else this.#countUnquoted(chunk);
    this.onProgress(this.rows, this.#bytes);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    if (this.format === 'csv' && this.rows > 0) this.rows -= 1; // the header
    done();
  }

  /** A line break inside of a value is escaped in NDJSON: every byte of it ends a row. */
  #countLines(chunk: Buffer): void {
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) this.rows += 1;
  }

  /** One loop over local variables: whatever else is done for a byte is done a hundred million times. */
  #countUnquoted(chunk: Buffer): void {
    const end = this.format === 'json' ? BRACE : LINE_FEED;
    const escape = this.format === 'json' ? BACKSLASH : undefined;
    let isQuoted = this.#isQuoted;
    let rows = 0;
    let at = this.#isEscaped ? 1 : 0;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === end && !isQuoted) rows++;
      else if (byte === escape && isQuoted) at++;
    }
    // The character behind a backslash may be the first of the next chunk.
    this.#isEscaped = at > chunk.length;
    this.#isQuoted = isQuoted;
    this.rows += rows;
  }
}
