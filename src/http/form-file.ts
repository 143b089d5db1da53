import busboy from 'busboy';
import { ProblemError } from '../domain/errors/problem-error.js';
import type { Request } from 'express';
import { PassThrough, type Readable } from 'node:stream';
import { utf8OfLatin1 } from '../domain/bytes/utf8.js';
import {
  CancelledError,
  InvalidRequestError,
  MalformedRequestError,
} from '../domain/errors/caller-errors.js';
import type { CrfError } from '../domain/errors/crf-error.js';
import { heard } from '../domain/bytes/heard.js';
import { watchPace, type ReaderPaceOptions } from '../records/streaming/reader-pace.js';

/** The file of a form, and what the form says about it. */
export interface FormFile {
  readonly file: Readable;
  /** The name as it was sent, never blank. */
  readonly name: string;
  /** The media type without parameters; `text/plain` if the form gives none (RFC 7578, 4.4). */
  readonly contentType: string;
  /** The other fields of the form, by name. They come before the file. */
  readonly fields: ReadonlyMap<string, string>;
}

export interface FormFileOptions {
  /** The number of fields that may come before the file; none by default. */
  readonly maxFields?: number | undefined;
  /** The maximum size of the file in bytes; without it, whoever reads the file must limit it. */
  readonly limitBytes?: number | undefined;
  /** The minimum speed at which the form must arrive (OPS-03). */
  readonly pace: ReaderPaceOptions;
}

/**
 * Returns the only file of a form (`multipart/form-data`, RFC 7578) as a stream, without storing it. The file must be
 * the last part, and named `file`. The stream does not end before the form does, so that nothing is done with the file
 * of a form that cannot be read. It fails with the errors below if the form proves wrong after the file has begun.
 *
 * @throws {InvalidRequestError} the form has no file, more than one, or other fields than allowed
 * @throws {MalformedRequestError} the body is not a form, or is more than 1 MiB larger than its file
 * @throws {ProblemError} `payload_too_large`: the file is larger than the limit
 * @throws {ProblemError} `request_timeout`: it arrives too slowly
 * @throws {CancelledError} the sender disconnected
 */
export function formFile(
  request: Request,
  { maxFields = 0, limitBytes = Infinity, pace }: FormFileOptions,
): Promise<FormFile> {
  return new Promise((resolve, reject) => {
    const limits = {
      files: 1,
      // The parser reports a file that reaches its limit, which a file may.
      fileSize: limitBytes + 1,
      // One more, so that a file that was sent as a text is named.
      fields: maxFields + 1,
      fieldSize: 1024,
      // Parts that are neither a file nor a field count only here, and the limit is reported when it is reached.
      parts: maxFields + 2,
    };
    let parser: busboy.Busboy;
    try {
      parser = heard(busboy({ headers: request.headers, limits, defParamCharset: 'latin1' }));
    } catch (error) {
      request.resume();
      return reject(new MalformedRequestError('The request is not a form with a file.', { cause: error }));
    }
    let file: PassThrough | undefined;
    let [bytes, fileBytes] = [0, 0];
    const fields = new Map<string, string>();

    const fail = (error: CrfError): void => {
      reject(error);
      file?.destroy(error);
      // The rest is read all the same, or its sender never gets the answer. The parser is left alone: it would throw if
      // it were destroyed by one of its own events.
      request.unpipe(parser);
      request.resume();
    };
    const refuse = (message: string): void => fail(new InvalidRequestError([{ field: 'file', message }]));
    const refuseParts = (): void => refuse(maxFields === 0 ? ONLY : LAST);

    parser.on('field', (name, value, { valueTruncated }) => {
      if (name === 'file') refuse(MISSING);
      else if (file !== undefined || fields.has(name) || fields.size === maxFields || valueTruncated)
        refuseParts();
      else fields.set(name, value);
    });
    for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) parser.on(event, refuseParts);
    parser.on('file', (name, part, { filename, mimeType, encoding }) => {
      // In a form that ends within its file, the part fails as well as the parser, which reports it.
      heard(part);
      if (hasEnded(parser)) return refuse(MISSING);
      if (name !== 'file') return refuseParts();
      // Browsers send a part without a name if no file was chosen.
      if (filename === undefined || filename === '') return void part.resume();
      // RFC 7578 has no transfer encodings, and the file would be stored as it was encoded.
      if (!PLAIN_ENCODINGS.has(encoding)) return refuse(ENCODED);
      // The form may turn out to be malformed before anybody reads the file.
      const opened = heard(new PassThrough());
      file = opened;
      part.on('data', (chunk: Buffer) => (fileBytes += chunk.length));
      // A form without a Content-Length could contain any number of bytes.
      part.once('limit', () => fail(new ProblemError('payload_too_large', { limitBytes })));
      part.pipe(opened, { end: false });
      parser.once('close', () => opened.end());
      resolve({ file: opened, name: utf8OfLatin1(filename), contentType: mimeType, fields });
    });
    parser.on('error', (error: Error) =>
      fail(new MalformedRequestError('The form cannot be read.', { cause: error })),
    );
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes - fileBytes > MAX_REST_BYTES) fail(new MalformedRequestError(TOO_MUCH));
    });
    const stopWatching = watchPace(
      {
        isBehind: () => !parser.writableNeedDrain,
        bytesTaken: () => bytes,
        onTooSlow: () => fail(new ProblemError('request_timeout')),
      },
      pace,
    );
    // When the form has been read, or nobody will read the rest of it: without its answer, it would not end.
    for (const stream of [parser, request, request.res]) stream?.once('close', stopWatching);
    parser.on('close', () => reject(new InvalidRequestError([{ field: 'file', message: MISSING }])));
    request.once('aborted', () => fail(new CancelledError()));
    request.pipe(parser);
  });
}

/**
 * Whether the form has ended. The parser goes on with what follows in the same chunk, and waits for ever for a file that
 * begins there and does not end. It has no other sign of this.
 */
function hasEnded(parser: busboy.Busboy): boolean {
  return Reflect.get(parser, '_complete') === true;
}

/** What stands before the first part and after the last has no other limit. Includes what is still in buffers. */
const MAX_REST_BYTES = 1024 * 1024;
const PLAIN_ENCODINGS: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);

const TOO_MUCH = 'The form has too much besides its file.';
const MISSING = 'is missing: choose one, or send a part of this name with a file name';
const ONLY = 'must be the only part of the form';
const LAST = 'must be the last part of the form, and every other part must occur once';
const ENCODED = 'must not have a Content-Transfer-Encoding';
