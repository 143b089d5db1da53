import busboy from 'busboy';
import type { Request } from 'express';
import { PassThrough, type Readable } from 'node:stream';
import {
  InvalidRequestError,
  MalformedRequestError,
  PayloadTooLargeError,
  RequestTimeoutError,
} from '../../errors/caller-errors.js';
import type { CrfError } from '../../errors/crf-error.js';
import { heard } from '../../errors/heard.js';
import { watchPace, type ReaderPaceOptions } from '../../services/streaming/reader-pace.js';

/** A file that was sent with a form, and what the form says about it. */
export interface UploadedFile {
  readonly file: Readable;
  /** The other fields of the form, by name. They come before the file. */
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Returns the only file of a form as a stream, without storing it. Above the limit the stream fails with
 * `PayloadTooLargeError`. It does not end before the form does, so that nothing is done with the file of a form that
 * cannot be read.
 *
 * @param pace the minimum speed at which the form must arrive (OPS-03)
 * @throws {InvalidRequestError} the form has no file
 * @throws {MalformedRequestError} the body is not a form
 */
export function uploadedFile(
  request: Request,
  limitBytes: number,
  pace: ReaderPaceOptions,
): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    let parser: busboy.Busboy;
    try {
      parser = heard(
        busboy({
          headers: request.headers,
          limits: { files: 1, fileSize: limitBytes, fields: 5, fieldSize: 1024, parts: 8 },
        }),
      );
    } catch (error) {
      request.resume();
      return reject(new MalformedRequestError('The request is not a form with a file.', { cause: error }));
    }
    let file: PassThrough | undefined;
    const fields = new Map<string, string>();
    const refuse = (): InvalidRequestError =>
      new InvalidRequestError([{ field: 'file', message: 'must be chosen first' }]);
    parser.on('field', (name, value) => {
      if (file === undefined && !fields.has(name)) fields.set(name, value);
      else parser.destroy(new InvalidRequestError([{ field: 'file', message: LAST }]));
    });
    parser.on('file', (name, part, { filename }) => {
      // In a form that ends within its file, the part fails as well as the parser, which reports it.
      heard(part);
      if (name !== 'file' || filename === undefined || filename === '') return void part.resume();
      // The form may turn out to be malformed before anybody reads the file.
      file = heard(new PassThrough());
      const opened = file;
      // A form without a Content-Length could contain any number of bytes.
      part.once('limit', () => opened.destroy(new PayloadTooLargeError(limitBytes)));
      part.pipe(opened, { end: false });
      parser.once('close', () => opened.end());
      resolve({ file: opened, fields });
    });
    const fail = (error: CrfError): void => {
      reject(error);
      file?.destroy(error);
    };
    parser.on('error', (error: Error) => {
      const isOurs = error instanceof InvalidRequestError;
      fail(isOurs ? error : new MalformedRequestError('The form cannot be read.', { cause: error }));
    });
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    const stopWatching = watchPace(
      {
        isBehind: () => !parser.writableNeedDrain,
        bytesTaken: () => bytes,
        onTooSlow: () => fail(new RequestTimeoutError()),
      },
      pace,
    );
    // When the form has been read, or nobody will read the rest of it.
    for (const stream of [parser, request]) stream.once('close', stopWatching);
    parser.on('close', () => reject(refuse()));
    request.once('aborted', () => file?.destroy(new MalformedRequestError('The upload was interrupted.')));
    request.pipe(parser);
  });
}

const LAST = 'must be the last part of the form, and every other part must occur once';
