import type { IncomingHttpHeaders } from 'node:http';
import { utf8OfLatin1 } from '../../domain/bytes/utf8.js';

/** What REDCap's headers state about a file, before its bytes. */
export interface FileHead {
  /** The name under which the file is stored in REDCap. It can contain anything, even parts of a path. */
  readonly name: string;
  /** The media type, such as `application/pdf`. For text it is followed by the character set. */
  readonly contentType: string;
  /** In bytes, if REDCap states it. */
  readonly length: number | undefined;
}

/**
 * Reads the headers of a file download. The file name is a parameter of the content type, and PHP appends the character
 * set for text. No known client has seen a file without a name, so an answer without a name is not a file.
 *
 * @returns undefined if the answer is not a file
 * @see docs/protocol/redcap.md 11.1 (client)
 */
export function readFileHead(headers: IncomingHttpHeaders): FileHead | undefined {
  const header = headers['content-type'] ?? '';
  const name = (QUOTED_NAME.exec(header) ?? BARE_NAME.exec(header))?.[1];
  if (name === undefined) return undefined;
  const [type = ''] = header.split(';', 1);
  const charset = CHARSET.exec(header)?.[1];
  const mediaType = MEDIA_TYPE.test(type.trim()) ? type.trim().toLowerCase() : 'application/octet-stream';
  const length = headers['content-encoding'] === undefined ? Number(headers['content-length']) : NaN;
  return {
    name: utf8OfLatin1(name),
    contentType: charset === undefined ? mediaType : `${mediaType}; charset=${charset.toLowerCase()}`,
    length: Number.isSafeInteger(length) ? length : undefined,
  };
}

/** Quotes inside the name are not escaped, so the last quote ends it. */
const QUOTED_NAME = /;\s*name="(.*)"\s*(?:;\s*charset=[^;"]*)?$/i;
const BARE_NAME = /;\s*name=([^;"]+)/i;
const CHARSET = /;\s*charset=([A-Za-z0-9_-]{1,40})\s*$/i;
const MEDIA_TYPE = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/;
