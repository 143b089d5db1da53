import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { isUint8Array } from 'node:util/types';
import { CancelledError, InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import type { WireParameters } from './wire-parameters.js';

/** The body of a request. */
export interface RequestBody {
  readonly contentType: string;
  /** In bytes; undefined if it is not known in advance, in which case the body is sent in chunks. */
  readonly length: number | undefined;
  /**
   * The body except its end, in the order in which it is sent. A file is read meanwhile, which can be done only once.
   *
   * @throws {CrfError} the file failed
   */
  pieces(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** The last bytes. They are sent together with the end of the request, so whoever has them has everything. */
  readonly end: Uint8Array;
}

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
  /** Whether an empty file is stored, as REDCap does; it is refused by default. */
  readonly mayBeEmpty?: boolean | undefined;
}

/**
 * Checks that the parameters can be sent.
 *
 * @throws {InvalidRequestError} a text contains a lone surrogate, which UTF-8 cannot encode, or a value is of no type
 *   that can be sent
 */
export function checkSendable(parameters: WireParameters): void {
  for (const [name, value] of pairsOf(parameters)) {
    if (typeof value === 'string' && !value.isWellFormed()) {
      throw invalid(name, 'holds half of a surrogate pair');
    }
  }
}

/**
 * Returns parameters as a form body.
 *
 * @throws {InvalidRequestError} bytes are not UTF-8
 * @see docs/protocol/redcap.md 1.2, 1.4, 1.5 (client)
 */
export function formBody(parameters: WireParameters): RequestBody {
  const form = new URLSearchParams();
  for (const [name, value] of pairsOf(parameters)) form.append(name, textOf(name, value));
  return heldBody('application/x-www-form-urlencoded', [Buffer.from(form.toString(), 'latin1')]);
}

/**
 * Returns parameters as `multipart/form-data`, which PHP reads into the same parameters. For JSON text it is half as
 * long as a form body, and nothing has to be encoded.
 *
 * @see docs/protocol/redcap.md 1.2 (client)
 */
export function multipartBody(parameters: WireParameters): RequestBody {
  const boundary = newBoundary();
  return heldBody(contentTypeOf(boundary), [...partsOf(parameters, boundary), closing(boundary)]);
}

/**
 * Returns parameters and one file as `multipart/form-data`, with the file after the parameters. Only the piece that is
 * being sent is held in memory.
 *
 * @see docs/protocol/redcap.md 1.2, 11.1 (client)
 */
export function uploadBody(parameters: WireParameters, file: FileSource): RequestBody {
  const boundary = newBoundary();
  // PHP treats a backslash before a quote or another backslash as an escape.
  const name = file.name.replace(/["\\]/g, '\\$&');
  const type = `\r\nContent-Type: ${file.contentType}`;
  const start = Buffer.concat([
    ...partsOf(parameters, boundary),
    partHead(boundary, `name="file"; filename="${name}"${type}`),
  ]);
  const end = Buffer.concat([LINE_END, closing(boundary)]);
  return {
    contentType: contentTypeOf(boundary),
    length: file.length === undefined ? undefined : start.length + file.length + end.length,
    async *pieces() {
      yield start;
      yield* bytesOf(file);
    },
    end,
  };
}

/** The message of the error for a source that failed or stalled. */
export const SOURCE_FAILED = 'The file could not be read while it was sent, so it was not stored.';

/**
 * Yields the parameters one by one, with one pair for each item of a list. Lists are written as `name[0]=…&name[1]=…`,
 * which every version of REDCap can read, booleans as `true` and `false`.
 *
 * @throws {InvalidRequestError} a value is of no type that can be sent, such as `null`
 */
function* pairsOf(parameters: WireParameters): Generator<[name: string, value: string | Buffer]> {
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      for (const [index, item] of items.entries()) yield textPair(`${name}[${index}]`, item);
    } else if (typeof value === 'number' || typeof value === 'boolean') {
      if (!Number.isFinite(Number(value))) throw invalid(name, 'must be a finite number');
      yield [name, String(value)];
    } else yield Buffer.isBuffer(value) ? [name, value] : textPair(name, value);
  }
}

function textPair(name: string, value: unknown): [string, string] {
  if (typeof value !== 'string') throw invalid(name, 'must be text, or left out');
  return [name, value];
}

function textOf(name: string, value: string | Buffer): string {
  if (typeof value === 'string') return value;
  if (!isUtf8(value)) throw invalid(name, 'must be UTF-8');
  return value.toString('utf8');
}

function* partsOf(parameters: WireParameters, boundary: string): Generator<Buffer> {
  for (const [name, value] of pairsOf(parameters)) {
    yield partHead(boundary, `name="${name}"`);
    yield typeof value === 'string' ? Buffer.from(value) : value;
    yield LINE_END;
  }
}

function partHead(boundary: string, attributes: string): Buffer {
  return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${attributes}\r\n\r\n`);
}

function closing(boundary: string): Buffer {
  return Buffer.from(`--${boundary}--\r\n`);
}

/** Random, so that it is as unlikely to occur in the data as a guessed key. */
function newBoundary(): string {
  return `crf-${randomBytes(24).toString('hex')}`;
}

function contentTypeOf(boundary: string): string {
  return `multipart/form-data; boundary=${boundary}`;
}

/** Returns a body that is held in memory. Short neighbours are joined and long buffers cut, but none is copied whole. */
function heldBody(contentType: string, buffers: readonly Buffer[]): RequestBody {
  const pieces: Buffer[] = [];
  let short: Buffer[] = [];
  const join = (): void => {
    if (short.length > 0) pieces.push(Buffer.concat(short));
    short = [];
  };
  for (const buffer of buffers) {
    if (buffer.length <= PIECE_BYTES) {
      short.push(buffer);
      continue;
    }
    join();
    for (let at = 0; at < buffer.length; at += PIECE_BYTES) {
      pieces.push(buffer.subarray(at, at + PIECE_BYTES));
    }
  }
  join();
  const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  const end = pieces.pop() ?? Buffer.alloc(0);
  return { contentType, length, pieces: () => pieces, end };
}

/**
 * @throws {InvalidRequestError} the file is empty, longer or shorter than its stated length, or does not consist of bytes
 * @throws {CancelledError} reading the source failed
 */
async function* bytesOf({ bytes, length, mayBeEmpty = false }: FileSource): AsyncGenerator<Uint8Array> {
  let sent = 0;
  try {
    for await (const piece of bytes) {
      // A caller without types may pass text, or an array of bytes instead of a list of arrays.
      if (!isUint8Array(piece)) throw invalid('file', NOT_BYTES);
      sent += piece.length;
      if (length !== undefined && sent > length) throw invalid('file', WRONG_LENGTH);
      yield piece;
    }
  } catch (error) {
    throw error instanceof CrfError ? error : new CancelledError({ cause: error }, SOURCE_FAILED);
  }
  if (length !== undefined && sent !== length) throw invalid('file', WRONG_LENGTH);
  // An empty file is nearly always a mistake. The form is not completed.
  if (sent === 0 && !mayBeEmpty) throw invalid('file', 'must not be empty');
}

function invalid(field: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }]);
}

/** Small enough that a slow connection shows progress. */
const PIECE_BYTES = 64 * 1024;
const LINE_END = Buffer.from('\r\n');
const WRONG_LENGTH = 'is longer or shorter than its length says';
const NOT_BYTES = 'must be read in pieces of bytes: a stream without an encoding, or a list of Uint8Array';
