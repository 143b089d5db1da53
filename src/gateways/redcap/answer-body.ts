import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import { heard } from '../../domain/bytes/heard.js';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';

/** The decoded body of a response, with what its framing guarantees. */
export interface AnswerBody {
  readonly bytes: Readable;
  /** Whether the framing marks the end of the body. If not, a truncated body looks complete. */
  readonly hasMarkedEnd: boolean;
  /** Whether everything that the framing announced has arrived. Only meaningful once `bytes` has ended. */
  isWhole(): boolean;
  /** Ends the connection. */
  destroy(): void;
}

/**
 * Returns the body of an answer in text.
 *
 * @throws {UpstreamInvalidError} the answer names another character set than UTF-8, or its encoding was not requested
 */
export function toTextBody(response: IncomingMessage): AnswerBody {
  const charset = CHARSET.exec(response.headers['content-type'] ?? '')?.[1];
  if (charset === undefined || /^(?:utf-?8|us-ascii|ascii)$/i.test(charset)) return toAnswerBody(response);
  response.destroy();
  throw new UpstreamInvalidError(OTHER_CHARSET);
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;
const OTHER_CHARSET =
  'REDCap answered in another character set than UTF-8. Let it, or the server in front of it, send UTF-8.';
/** What is said of bytes that would become replacement characters. */
export const NOT_UTF8 =
  'REDCap answered bytes that are not UTF-8, probably in a stored value. Correct it, or leave its field out.';

/**
 * Undoes the content encoding of a response.
 *
 * @throws {UpstreamInvalidError} the encoding was not requested
 */
export function toAnswerBody(response: IncomingMessage): AnswerBody {
  const { headers } = response;
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  const isWhole = (): boolean => response.complete;
  if (encoding === 'gzip' || encoding === 'x-gzip') {
    const bytes = heard(createGunzip());
    let isEmpty = true;
    response.once('error', (error) => bytes.destroy(error));
    response.once('aborted', () => bytes.destroy(new Error('aborted')));
    response.once('data', () => (isEmpty = false));
    // Some servers declare an empty body as compressed too.
    response.once('end', () => bytes.end(isEmpty ? EMPTY_GZIP : undefined));
    response.pipe(bytes, { end: false });
    return { bytes, isWhole, hasMarkedEnd: true, destroy: () => void (response.destroy(), bytes.destroy()) };
  }
  if (encoding !== 'identity') {
    response.destroy();
    throw new UpstreamInvalidError('REDCap answered in a content encoding that was not asked for.');
  }
  const isChunked = /\bchunked\s*$/i.test(headers['transfer-encoding'] ?? '');
  const hasMarkedEnd = isChunked || headers['content-length'] !== undefined;
  return { bytes: response, isWhole, hasMarkedEnd, destroy: () => void response.destroy() };
}

const EMPTY_GZIP = gzipSync('');
