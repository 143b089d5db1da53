import { Transform, type TransformCallback } from 'node:stream';
import { heard } from '../../domain/bytes/heard.js';
import { countBuffer } from '../../domain/bytes/stream-buffers.js';
import { BytePacker } from './byte-packer.js';
import { JsonArraySplitter, type SplitterOptions } from '../../gateways/redcap/json-array-splitter.js';

export interface NdjsonStreamOptions extends SplitterOptions {
  /** Adds a last line which states that the export is complete: `{"_complete":true,"records":N}`. */
  readonly trailer?: boolean | undefined;
  /** Called with the number of rows written so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

/**
 * Converts a JSON array of objects to NDJSON, one object per line, without parsing it. It emits only complete lines.
 * The stream is destroyed with an `UpstreamInvalidError` if the input is not such an array or the array is not closed.
 */
export class NdjsonStream extends Transform {
  readonly #splitter: JsonArraySplitter;
  readonly #packer = new BytePacker((chunk) => this.push(chunk));
  readonly #hasTrailer: boolean;
  readonly #onRows: ((rows: number) => void) | undefined;
  #lines = 0;

  constructor({ trailer = false, onRows, ...options }: NdjsonStreamOptions = {}) {
    super({ readableHighWaterMark: HIGH_WATER_BYTES, writableHighWaterMark: HIGH_WATER_BYTES });
    heard(this);
    this.#splitter = new JsonArraySplitter(options);
    this.#hasTrailer = trailer;
    this.#onRows = onRows;
    onRows?.(0);
  }

  /** Consecutive records separated only by a comma. They are copied together instead of one by one. */
  #run: { readonly source: Buffer; readonly start: number; readonly ends: number[] } | undefined;

  readonly #addLine = (source: Buffer, start: number, end: number): void => {
    this.#lines++;
    if (this.#run?.source === source && this.#run.ends.at(-1) === start - 1) {
      this.#run.ends.push(end);
      return;
    }
    this.#endRun();
    this.#run = { source, start, ends: [end] };
  };

  #endRun(): void {
    if (this.#run === undefined) return;
    const { source, start, ends } = this.#run;
    this.#run = undefined;
    this.#packer.add(withLineFeeds(source, start, ends));
    this.#packer.addByte(LINE_FEED);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    try {
      this.#splitter.push(chunk, this.#addLine);
      this.#endRun();
      this.#packer.flush();
      this.#onRows?.(this.#lines);
      callback();
    } catch (error) {
      callback(error as Error);
    }
  }

  override _flush(callback: TransformCallback): void {
    try {
      this.#splitter.end();
      if (this.#hasTrailer) this.push(trailerLine(this.#lines));
      callback();
    } catch (error) {
      callback(error as Error);
    }
  }
}

/**
 * Returns rows as lines, without the last line feed. A single row is not copied.
 *
 * @param source the rows, with one byte between each pair
 * @param start offset of the first row in `source`
 * @param ends end offset of each row in `source`
 */
function withLineFeeds(source: Buffer, start: number, ends: readonly number[]): Buffer {
  const rows = source.subarray(start, ends.at(-1));
  if (ends.length === 1) return rows;
  countBuffer(rows.length);
  const lines = Buffer.allocUnsafeSlow(rows.length);
  rows.copy(lines);
  for (const at of ends.slice(0, -1)) lines[at - start] = LINE_FEED;
  return lines;
}

/** Returns the last line of a complete NDJSON export. `records` is the number of lines before it. */
export function trailerLine(records: number): Buffer {
  return Buffer.from(`{"_complete":true,"records":${records}}\n`);
}

const LINE_FEED = 0x0a;
const HIGH_WATER_BYTES = 128 * 1024;
