import type { IncomingHttpHeaders } from 'node:http';

/** What REDCap says of a file before its bytes. */
export interface FileHead {
  /** The name under which it was stored, as REDCap has it: it may contain anything, even parts of a path. */
  readonly name: string;
  /** The media type, as in `application/pdf`; followed by the character set of a text. */
  readonly contentType: string;
  /** In bytes, when REDCap says it. */
  readonly length: number | undefined;
}

/**
 * Reads the head of a file's answer. The name stands in the content type, PHP puts the character set of a text behind
 * it, and no client has seen a file without: so an answer without a name is none.
 *
 * @returns undefined for an answer that is no file
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
    name: toUtf8(name),
    contentType: charset === undefined ? mediaType : `${mediaType}; charset=${charset.toLowerCase()}`,
    length: Number.isSafeInteger(length) ? length : undefined,
  };
}

/** Quotes inside of the name are not escaped: the last quote ends it. */
const QUOTED_NAME = /;\s*name="(.*)"\s*(?:;\s*charset=[^;"]*)?$/i;
const BARE_NAME = /;\s*name=([^;"]+)/i;
const CHARSET = /;\s*charset=([A-Za-z0-9_-]{1,40})\s*$/i;
const MEDIA_TYPE = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/;

/** A header's characters are bytes, which are UTF-8 where they are not plain ASCII; older servers had Latin-1. */
function toUtf8(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
