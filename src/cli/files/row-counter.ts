import { Transform, type TransformCallback } from 'node:stream';
import { heard } from '../../errors/heard.js';
import type { RowFormat } from '../../services/row-output/row-format.js';
import { rowTally, type RowTally } from '../../services/row-output/row-tally.js';

/** Passes bytes through unchanged and counts their rows, for the progress line. */
export class RowCounter extends Transform {
  readonly #tally: RowTally;
  readonly #onProgress: (rows: number, bytes: number) => void;
  #bytes = 0;

  /** @param onProgress called after each chunk */
  constructor(format: RowFormat, onProgress: (rows: number, bytes: number) => void) {
    super();
    heard(this);
    this.#tally = rowTally({ format });
    this.#onProgress = onProgress;
  }

  get rows(): number {
    return this.#tally.rows;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    this.#tally.take(chunk);
    this.#onProgress(this.rows, this.#bytes);
    done(null, chunk);
  }
}
