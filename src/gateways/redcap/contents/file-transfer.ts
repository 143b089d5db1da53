import type { Readable } from 'node:stream';
import { isUint8Array } from 'node:util/types';
import * as z from 'zod';
import { argument, strictObject, type Shape } from '../../../domain/identifiers/check-options.js';
import { integerFrom } from './argument-values.js';
import type { FileSource } from '../request-body.js';

/**
 * A file whose beginning has been accepted. Read `body` to its end or destroy it, because it holds a connection to
 * REDCap.
 */
export interface FileDownload {
  /** As it was stored. It can contain anything, including path segments, so never use it as a path. */
  readonly name: string;
  /** As it was stored; `application/octet-stream` if that is not a media type. */
  readonly contentType: string;
  /** In bytes, if REDCap states it. */
  readonly length: number | undefined;
  /**
   * The bytes as they arrive. The stream fails with this package's errors, and ends normally only if the file is
   * complete.
   */
  readonly body: Readable;
}

/** A file to store. */
export interface FileUpload {
  /** Without folders; 1 to 255 characters, none of them a control character, and neither `.` nor `..`. */
  readonly name: string;
  /** By default that of a `Blob`, or `application/octet-stream`. */
  readonly contentType?: string | undefined;
  /** Whole, or as a stream or list of pieces, which is read once, while it is sent. */
  readonly bytes: Uint8Array | Blob | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** In bytes. Provide it if you know it for a stream: some servers in front of REDCap refuse an upload without it. */
  readonly length?: number | undefined;
}

/** Returns a file as the transport sends it. */
export function toFileSource({ name, contentType, bytes, length }: FileUpload): FileSource {
  const type = contentType ?? (bytes instanceof Blob && MEDIA_TYPE.test(bytes.type) ? bytes.type : ANY_BYTES);
  return { name, contentType: type, ...toPieces(bytes, length) };
}

const ANY_BYTES = 'application/octet-stream';

function toPieces(
  bytes: FileUpload['bytes'],
  length: number | undefined,
): Pick<FileSource, 'bytes' | 'length'> {
  if (bytes instanceof Blob) return { bytes: bytes.stream(), length: length ?? bytes.size };
  if (isUint8Array(bytes)) return { bytes: [bytes], length: length ?? bytes.length };
  return { bytes, length };
}

/**
 * Checks whether a file can be sent under this name. PHP drops everything before a slash or a backslash, and `.` and
 * `..` are names of folders, under which nobody could save the file again.
 */
function isFileName(name: string): boolean {
  return /^(?!\s*$|\.{1,2}$)[^\p{Cc}\p{Cs}/\\]{1,255}$/u.test(name);
}

const FILE_NAME_RULE =
  'must have 1 to 255 characters, none of them a slash, a backslash or a control character, and not be . or ..';

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,127}";
/** A media type, possibly with parameters: `text/plain; charset=utf-8`. */
const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:; ?${TOKEN}=(?:${TOKEN}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]{0,127}")){0,4}$`,
);

const FILE = {
  name: z.string(FILE_NAME_RULE).refine(isFileName, FILE_NAME_RULE),
  contentType: z.string('must be a media type').regex(MEDIA_TYPE, 'must be a media type').optional(),
  bytes: z.custom<FileUpload['bytes']>(
    isReadable,
    'must be a Uint8Array, a Blob, or a stream or list of Uint8Array',
  ),
  length: integerFrom(0).optional(),
} satisfies Shape<FileUpload>;

/** The argument that is a file to store. */
export const file = argument('file', strictObject(FILE, 'a property'));

function isReadable(bytes: unknown): boolean {
  if (typeof bytes !== 'object' || bytes === null) return false;
  return bytes instanceof Blob || Symbol.asyncIterator in bytes || Symbol.iterator in bytes;
}
