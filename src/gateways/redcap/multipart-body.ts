import { randomBytes } from 'node:crypto';
import { InvalidRequestError } from '../../errors/caller-errors.js';
import { pairsOf } from './form-body.js';
import type { RequestBody } from './request-body.js';
import type { WireParameters } from './wire-parameters.js';

/**
 * Parameters as `multipart/form-data`, which PHP reads into the same parameters: half the bytes of a percent-encoded form
 * where the text is JSON, and nothing to encode. For what an import sends.
 *
 * @see docs/protocol/redcap.md 1.2 (client)
 */
export class MultipartBody implements RequestBody {
  readonly contentType: string;
  readonly length: number;
  /** What is sent, in order: the head of a part, its value, the next head. */
  readonly #buffers: readonly Buffer[];

  /** @throws {InvalidRequestError} a text holds half of a surrogate pair, which UTF-8 cannot carry */
  constructor(parameters: WireParameters) {
    // Random: that it stands in the data is as likely as to guess a key.
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

  /** The bytes of a short body, each as a character. */
  toString(): string {
    return Buffer.concat(this.#buffers).toString('latin1');
  }
}

/** What stands before the value of a parameter. */
export function headOfPart(boundary: string, name: string): Buffer {
  return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`);
}

/** @throws {InvalidRequestError} a text holds half of a surrogate pair, which UTF-8 cannot carry */
export function utf8Of(text: string | Buffer, name: string): Buffer {
  if (typeof text !== 'string') return text;
  if (/\p{Cs}/u.test(text)) {
    throw new InvalidRequestError([{ field: name, message: 'holds half of a surrogate pair' }]);
  }
  return Buffer.from(text);
}

export const LINE_END = Buffer.from('\r\n');
