import { Transform, type TransformCallback } from 'node:stream';

/** Puts bytes that are one JSON value into the envelope of a success, without parsing them: `{"data":` … `}`. */
export class EnvelopeStream extends Transform {
  #hasBegun = false;

  constructor() {
    super({ readableHighWaterMark: HIGH_WATER_BYTES, writableHighWaterMark: HIGH_WATER_BYTES });
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.push(OPENING);
    }
    callback(null, chunk);
  }

  override _flush(callback: TransformCallback): void {
    callback(null, CLOSING);
  }
}

const OPENING = Buffer.from('{"data":');
const CLOSING = Buffer.from('}');
const HIGH_WATER_BYTES = 128 * 1024;
