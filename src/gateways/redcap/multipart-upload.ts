import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import { isUint8Array } from 'node:util/types';
import { CancelledError, InvalidRequestError } from '../../errors/caller-errors.js';
import { CrfError } from '../../errors/crf-error.js';
import { pairsOf } from './form-body.js';
import { headOfPart, LINE_END, utf8Of } from './multipart-body.js';
import type { StreamedBody } from './request-body.js';
import type { WireParameters } from './wire-parameters.js';

/** A file that is read while it is sent to REDCap. */
export interface FileSource {
  /** The name without folders, checked by `isFileName`. */
  readonly name: string;
  /** The media type, such as `application/pdf`. */
  readonly contentType: string;
  /** Read once, piece by piece, as fast as REDCap accepts it. */
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** In bytes, if known. Servers in front of REDCap may refuse an upload without a length. */
  readonly length?: number | undefined;
}

/**
 * Parameters and one file as `multipart/form-data`, with the file after the parameters. Only the piece that is being
 * sent is held in memory.
 *
 * @see docs/protocol/redcap.md 1.2, 11.1 (client)
 */
export class MultipartUpload implements StreamedBody {
  readonly contentType: string;
  readonly length: number | undefined;
  readonly #head: Buffer;
  readonly #tail: Buffer;
  readonly #file: FileSource;
  #isSent = false;
  #isWaitingForSource = false;

  /** @throws {InvalidRequestError} a parameter contains a lone surrogate, which UTF-8 cannot encode */
  constructor(parameters: WireParameters, file: FileSource) {
    const boundary = `crf-${randomBytes(24).toString('hex')}`;
    const parts: Buffer[] = [];
    for (const { name, text } of pairsOf(parameters)) {
      parts.push(headOfPart(boundary, name), utf8Of(text, name), LINE_END);
    }
    // PHP treats a backslash before a quote or another backslash as an escape.
    const name = file.name.replace(/["\\]/g, '\\$&');
    this.#head = Buffer.concat([
      ...parts,
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${file.contentType}\r\n\r\n`,
      ),
    ]);
    this.#tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    this.#file = file;
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    this.length = file.length === undefined ? undefined : this.#head.length + file.length + this.#tail.length;
  }

  get isSent(): boolean {
    return this.#isSent;
  }

  get isWaitingForSource(): boolean {
    return this.#isWaitingForSource;
  }

  /**
   * @throws {InvalidRequestError} the file is empty, longer or shorter than its stated length, or does not consist of bytes
   * @throws {CancelledError} reading the source failed
   */
  async send(request: Writable, onProgress: () => void): Promise<void> {
    const write = (piece: Uint8Array): Promise<void> =>
      new Promise((resolve, reject) => {
        request.write(piece, (error) => {
          if (error) return reject(error);
          onProgress();
          resolve();
        });
      });
    await write(this.#head);
    for await (const piece of this.#pieces()) await write(piece);
    request.end(this.#tail);
    this.#isSent = true;
  }

  async *#pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    const { bytes, length } = this.#file;
    let sent = 0;
    this.#isWaitingForSource = true;
    try {
      for await (const piece of bytes) {
        // A caller without types may pass text, or an array of bytes instead of a list of arrays.
        if (!isUint8Array(piece)) throw invalidFile(NOT_BYTES);
        sent += piece.length;
        if (length !== undefined && sent > length) throw invalidFile(WRONG_LENGTH);
        this.#isWaitingForSource = false;
        yield piece;
        this.#isWaitingForSource = true;
      }
    } catch (error) {
      throw error instanceof CrfError ? error : new CancelledError({ cause: error }, SOURCE_FAILED);
    } finally {
      this.#isWaitingForSource = false;
    }
    if (length !== undefined && sent !== length) throw invalidFile(WRONG_LENGTH);
    // No client is known to store empty files, and one is nearly always a mistake. The form is not completed.
    if (sent === 0) throw invalidFile(EMPTY);
  }
}

/** The message of the error for a source that failed or stalled. */
export const SOURCE_FAILED = 'The file could not be read while it was sent, so it was not stored.';
const WRONG_LENGTH = 'is longer or shorter than its length says';
const EMPTY = 'must not be empty';
const NOT_BYTES = 'must be read in pieces of bytes: a stream without an encoding, or a list of Uint8Array';

function invalidFile(message: string): InvalidRequestError {
  return new InvalidRequestError([{ field: 'file', message }]);
}
