import { Transform, type TransformCallback } from 'node:stream';
import { BytePacker } from './byte-packer.js';
import { JsonArraySplitter, type JsonArraySplitterOptions } from './json-array-splitter.js';

export interface NdjsonStreamOptions extends JsonArraySplitterOptions {
  /** A last line that says that the export is complete: `{"_complete":true,"records":N}`. */
  readonly trailer?: boolean | undefined;
}

/**
 * Turns a JSON array of objects into NDJSON, an object a line, without parsing it. Only whole lines leave it. It is
 * destroyed with an `UpstreamInvalidError` when the array is none or is not closed.
 */
export class NdjsonStream extends Transform {
  readonly #splitter: JsonArraySplitter;
  readonly #packer = new BytePacker((chunk) => this.push(chunk));
  readonly #hasTrailer: boolean;
  #lines = 0;

  constructor({ trailer = false, ...options }: NdjsonStreamOptions = {}) {
    super({ readableHighWaterMark: HIGH_WATER_BYTES, writableHighWaterMark: HIGH_WATER_BYTES });
    this.#splitter = new JsonArraySplitter(options);
    this.#hasTrailer = trailer;
  }

  readonly #addLine = (source: Buffer, start: number, end: number): void => {
    this.#lines++;
    this.#packer.add(source, start, end);
    this.#packer.addByte(LINE_FEED);
  };

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    try {
      this.#splitter.push(chunk, this.#addLine);
      this.#packer.flush();
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

/** The last line of an NDJSON export that is complete. `records` is the number of lines before it. */
export function trailerLine(records: number): Buffer {
  return Buffer.from(`{"_complete":true,"records":${records}}\n`);
}

const LINE_FEED = 0x0a;
const HIGH_WATER_BYTES = 128 * 1024;
