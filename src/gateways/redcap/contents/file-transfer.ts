import type { Readable } from 'node:stream';
import { InvalidRequestError } from '../../../errors/caller-errors.js';
import type { FileSource } from '../multipart-upload.js';

/** A file that has begun well: read `body` to its end, or destroy it, for it holds a connection to REDCap. */
export interface FileDownload {
  /** As it was stored. It may hold anything, the parts of a path too: never use it as a path. */
  readonly name: string;
  /** As it was stored, `application/octet-stream` where that is no media type. */
  readonly contentType: string;
  /** In bytes, when REDCap says it. */
  readonly length: number | undefined;
  /** The bytes as they come. It fails with this package's errors, and ends well only when the file is whole. */
  readonly body: Readable;
}

/** A file to store. */
export interface FileUpload {
  /** Without folders; 1 to 255 characters, none of them a control character. */
  readonly name: string;
  /** `application/octet-stream` by default. */
  readonly contentType?: string | undefined;
  /** Sent as it is read, and read once. */
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** In bytes. Give it when you know it: some servers in front of REDCap refuse an upload without. */
  readonly length?: number | undefined;
}

/** @throws {InvalidRequestError} the name or the media type cannot be sent */
export function toFileSource({ name, contentType, bytes, length }: FileUpload): FileSource {
  if (!isFileName(name)) throw new InvalidRequestError([{ field: 'name', message: FILE_NAME_RULE }]);
  if (contentType !== undefined && !MEDIA_TYPE.test(contentType)) {
    throw new InvalidRequestError([{ field: 'contentType', message: 'must be a media type' }]);
  }
  return { name, contentType: contentType ?? 'application/octet-stream', bytes, length };
}

/** Whether a file can be sent under this name. PHP drops what stands before a slash or a backslash. */
export function isFileName(name: string): boolean {
  return /^(?!\s*$)[^\p{Cc}\p{Cs}/\\]{1,255}$/u.test(name);
}

export const FILE_NAME_RULE =
  'must have 1 to 255 characters, none of them a slash, a backslash or a control character';

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,127}";
/** With parameters, as in `text/plain; charset=utf-8`. */
const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:; ?${TOKEN}=(?:${TOKEN}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]{0,127}")){0,4}$`,
);
