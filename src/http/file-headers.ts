import { create, parse } from 'content-disposition';
import type { IncomingHttpHeaders } from 'node:http';
import { utf8OfLatin1 } from '../buffers/utf8-of-latin1.js';
import { InvalidRequestError } from '../errors/caller-errors.js';
import { bareFileName } from '../services/files/file-name.js';

/** The properties of an uploaded file, from the request headers. */
export interface FileHeaders {
  readonly name: string;
  readonly contentType: string;
  /** The length in bytes; undefined for a chunked body. */
  readonly length: number | undefined;
}

/**
 * Returns the header that makes a browser save a file under its name and never show it. It has the name in ASCII for
 * old clients, and in UTF-8 (RFC 6266, RFC 5987).
 */
export function attachment(fileName: string): string {
  return create(fileName);
}

/**
 * Reads the properties of an uploaded file. Folders in its name are dropped.
 *
 * @param fileName the name in the query, which takes precedence over `Content-Disposition`
 * @throws {InvalidRequestError} the file has no name
 */
export function fileHeaders(headers: IncomingHttpHeaders, fileName?: string): FileHeaders {
  const contentType = headers['content-type'] ?? '';
  const length = headers['content-length'];
  return {
    name: fileName === undefined ? fileNameIn(headers['content-disposition']) : named(fileName, 'fileName'),
    // The media type that curl and HTML forms send by default.
    contentType: /^(application\/x-www-form-urlencoded\b.*)?$/i.test(contentType)
      ? 'application/octet-stream'
      : contentType,
    length: length === undefined ? undefined : Number(length),
  };
}

function fileNameIn(header: string | undefined): string {
  const { filename = '' } = header === undefined ? {} : parse(utf8OfLatin1(header)).parameters;
  return named(filename, 'Content-Disposition');
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
};
