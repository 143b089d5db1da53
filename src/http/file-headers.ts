import { create, parse } from 'content-disposition';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { utf8OfLatin1 } from '../domain/bytes/utf8.js';
import { InvalidRequestError } from '../domain/errors/caller-errors.js';
import { bareFileName } from '../services/files/file-name.js';
import { formFile } from './form-file.js';
import { crfOf } from './app-state.js';

/**
 * The name of the file in the body, in the syntax of RFC 6266.
 * @minLength 1
 * @maxLength 2000
 * @example "attachment; filename=\"consent.pdf\""
 */
export type FileNameHeader = string;

/** The properties of an uploaded file. */
export interface FileHeaders {
  readonly name: string;
  readonly contentType: string;
  /** The length in bytes; undefined for a chunked body, and for a file in a form. */
  readonly length: number | undefined;
}

/**
 * Returns the header that makes a browser save a file under its name and never show it. It has the name in ASCII for
 * old clients, and in UTF-8 (RFC 6266, RFC 5987).
 */
export function attachment(fileName: string): string {
  return create(fileName);
}

/** An uploaded file whose bytes have not been read. */
export interface UploadedFile {
  readonly file: Readable;
  readonly head: FileHeaders;
}

/**
 * Returns the file of an upload: the body of the request itself, or the only part of a form. Folders in its name are
 * dropped.
 *
 * @param fileName the name in the query, which takes precedence over `Content-Disposition` of the request or the part
 * @throws {InvalidRequestError} the file has no name, or the form is refused; also the other errors of `formFile`
 */
export async function uploadedFile(request: Request, fileName: string | undefined): Promise<UploadedFile> {
  const { headers } = request;
  const given = fileName === undefined ? undefined : named(fileName, 'fileName');
  if (request.is(FORM) !== FORM) {
    const length = headers['content-length'];
    return {
      file: request,
      head: {
        name: given ?? named(fileNameIn(headers['content-disposition']), 'Content-Disposition'),
        contentType: fileTypeOf(headers['content-type'] ?? ''),
        length: length === undefined ? undefined : Number(length),
      },
    };
  }
  const { file, name, contentType } = await formFile(request, { pace: crfOf(request).pace });
  return { file, head: { name: given ?? named(name, 'file'), contentType, length: undefined } };
}

const FORM = 'multipart/form-data';

/** Replaces the media type that curl and HTML forms send by default. */
function fileTypeOf(contentType: string): string {
  return /^(application\/x-www-form-urlencoded\b.*)?$/i.test(contentType)
    ? 'application/octet-stream'
    : contentType;
}

function fileNameIn(header: string | undefined): string {
  return header === undefined ? '' : (parse(utf8OfLatin1(header)).parameters['filename'] ?? '');
}

function named(given: string, field: keyof typeof RULES): string {
  const name = bareFileName(given, '');
  if (name !== '') return name;
  throw new InvalidRequestError([{ field, message: RULES[field] }]);
}

const RULES = {
  fileName: 'must be the name of the file, such as consent.pdf',
  'Content-Disposition':
    'must have the name of the file, as in attachment; filename="consent.pdf", or for other letters filename*=UTF-8\'\'…; or give the name as ?fileName=consent.pdf',
  file: 'must have a file name in its part of the form, such as consent.pdf; or give the name as ?fileName=consent.pdf',
};
