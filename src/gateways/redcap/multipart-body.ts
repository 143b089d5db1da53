import { randomBytes } from 'node:crypto';
import { halfPair, pairsOf } from './form-body.js';
import type { RequestBody } from './request-body.js';
import type { WireParameters } from './wire-parameters.js';

/**
 * Parameters as `multipart/form-data`, which PHP reads into the same parameters. For JSON text it is half as long as a
 * percent-encoded form, and nothing has to be encoded. Used for imports.
 *
 * @see docs/protocol/redcap.md 1.2 (client)
 */
export class MultipartBody implements RequestBody {
  readonly contentType: string;
  readonly length: number;
  /** The bytes to send, in order: the headers of a part, its value, a line end, and so on. */
  readonly #buffers: readonly Buffer[];

  /** @throws {InvalidRequestError} a text contains a lone surrogate, which UTF-8 cannot encode */
  constructor(parameters: WireParameters) {
    // Random, so the boundary is as unlikely to occur in the data as a guessed key.
    const boundary = `crf-${randomBytes(24).toString('hex')}`;
    const buffers: Buffer[] = [];
    for (const { name, text } of pairsOf(parameters)) {
      buffers.push(headOfPart(boundary, name), utf8Of(text, name), LINE_END);
    }
    buffers.push(Buffer.from(`--${boundary}--\r\n`));
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    this.#buffers = buffers;
    this.length = buffers.reduce((sum, { length }) => sum + length, 0);
  }

  *pieces(target: Buffer): Generator<Buffer, void, undefined> {
    let end = 0;
    for (const buffer of this.#buffers) {
      for (let at = 0; at < buffer.length;) {
        const copied = buffer.copy(target, end, at);
        at += copied;
        end += copied;
        if (end < target.length) continue;
        yield target;
        end = 0;
      }
    }
    if (end > 0) yield target.subarray(0, end);
  }

  /** Returns the bytes of a short body as Latin-1, one character per byte. */
  toString(): string {
    return Buffer.concat(this.#buffers).toString('latin1');
  }
}

/** Returns the headers that precede a parameter's value. */
export function headOfPart(boundary: string, name: string): Buffer {
  return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`);
}

/** @throws {InvalidRequestError} a text contains a lone surrogate, which UTF-8 cannot encode */
export function utf8Of(text: string | Buffer, name: string): Buffer {
  if (typeof text !== 'string') return text;
  if (!text.isWellFormed()) throw halfPair(name);
  return Buffer.from(text);
}

export const LINE_END = Buffer.from('\r\n');
