import { create, parse } from 'content-disposition';
import type { IncomingHttpHeaders } from 'node:http';
import { InvalidRequestError } from '../errors/caller-errors.js';
import { bareFileName } from '../services/files/file-name.js';

/** What the headers of a request say of the file in its body. */
export interface FileHeaders {
  readonly name: string;
  readonly contentType: string;
  /** In bytes; undefined for a body in chunks. */
  readonly length: number | undefined;
}

/**
 * @returns the header by which a browser saves a file under its name, and shows it never: the name in ASCII for those who
 *   know no better, and in UTF-8 (RFC 6266, RFC 5987)
 */
export function attachment(fileName: string): string {
  return create(fileName);
}

/**
 * Reads what the body of an upload is. Folders in its name are dropped.
 *
 * @throws {InvalidRequestError} no name
 */
export function fileHeaders(headers: IncomingHttpHeaders): FileHeaders {
  const contentType = headers['content-type'] ?? '';
  const length = headers['content-length'];
  return {
    name: fileNameIn(headers['content-disposition']),
    // What curl and HTML forms say when nobody told them what it is.
    contentType: /^(application\/x-www-form-urlencoded\b.*)?$/i.test(contentType)
      ? 'application/octet-stream'
      : contentType,
    length: length === undefined ? undefined : Number(length),
  };
}

function fileNameIn(header: string | undefined): string {
  const { filename = '' } = header === undefined ? {} : parse(fromBytes(header)).parameters;
  const name = bareFileName(filename, '');
  if (name !== '') return name;
  throw new InvalidRequestError([{ field: 'Content-Disposition', message: RULE }]);
}

/** Node reads a header as Latin-1; who writes a name into it as it is writes UTF-8. */
function fromBytes(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

const RULE =
  'must have the name of the file, as in attachment; filename="consent.pdf", or for other letters filename*=UTF-8\'\'…';
