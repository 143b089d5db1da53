import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import { heard } from '../../domain/bytes/heard.js';
import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../domain/errors/upstream-errors.js';
import { countBuffer } from '../../domain/bytes/stream-buffers.js';
import { Utf8Check } from '../../domain/bytes/utf8.js';
import { type Cancellation, StageTimer } from './cancellation.js';
import { toNetworkCause } from './http-exchange.js';
import type { Clock } from './resilience/clock.js';

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

/** How long an answer may be, and how long it may take. */
export interface ReadLimits {
  readonly cancellation: Cancellation;
  /** The longest silence, in milliseconds. */
  readonly idleMs: number;
  readonly clock: Clock;
  /** The largest answer that is held in memory. Streams have no limit. */
  readonly maxBytes: number;
}

/** A body that was read into memory. */
export interface WholeText {
  readonly text: string;
  /** Whether the framing proves that nothing is missing. */
  readonly hasMarkedEnd: boolean;
}

/**
 * Reads a body into memory, as text.
 *
 * @throws {UpstreamTimeoutError} no bytes for `idleMs`
 * @throws {UpstreamUnavailableError} the connection broke before the end
 * @throws {UpstreamInvalidError} more than `maxBytes` bytes, or bytes that are not UTF-8
 */
export async function readWhole(body: AnswerBody, limits: ReadLimits): Promise<WholeText> {
  const bytes = await readBody(body, limits, 'fail');
  const { hasMarkedEnd } = body;
  refuseOtherBytes(bytes, hasMarkedEnd);
  return { text: bytes.toString('utf8'), hasMarkedEnd };
}

/** Returns the first `maxBytes` bytes of a body as text, which may be cut inside a character. */
export async function readBeginning(body: AnswerBody, limits: ReadLimits): Promise<string> {
  return (await readBody(body, limits, 'stop')).toString('utf8');
}

function refuseOtherBytes(bytes: Buffer, hasMarkedEnd: boolean): void {
  const utf8 = new Utf8Check();
  const isValid = utf8.take(bytes);
  if (isValid && utf8.isComplete) return;
  throw isValid && !hasMarkedEnd ? new UpstreamUnavailableError('body') : new UpstreamInvalidError(NOT_UTF8);
}

/** @param onExcess what happens beyond the limit: the read ends with the bytes up to it, or fails */
function readBody(body: AnswerBody, limits: ReadLimits, onExcess: 'stop' | 'fail'): Promise<Buffer> {
  const { cancellation, idleMs, clock, maxBytes } = limits;
  return new Promise((resolve, reject) => {
    if (cancellation.error !== undefined) {
      body.destroy();
      return reject(cancellation.error);
    }
    const chunks: Buffer[] = [];
    let length = 0;
    let isSettled = false;
    const timer = new StageTimer(clock);

    const settle = (): void => {
      isSettled = true;
      timer.stop();
      cancellation.unsubscribe(fail);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
      body.destroy();
    };
    const onChunk = (chunk: Buffer): void => {
      countBuffer(chunk.length);
      timer.refresh();
      chunks.push(chunk);
      length += chunk.length;
      if (length <= maxBytes) return;
      if (onExcess === 'fail') return fail(new UpstreamInvalidError(TOO_LARGE));
      settle();
      resolve(Buffer.concat(chunks, maxBytes));
      body.destroy();
    };
    const onBreak = (error?: Error): void => {
      // A connection also closes after a complete body.
      if (!isSettled) fail(new UpstreamUnavailableError('body', error && { cause: toNetworkCause(error) }));
    };

    cancellation.subscribe(fail);
    timer.start(idleMs, () => fail(new UpstreamTimeoutError('idle')));
    body.bytes.on('data', onChunk);
    body.bytes.on('error', onBreak);
    body.bytes.once('close', () => onBreak());
    body.bytes.once('end', () => {
      if (!body.isWhole()) return onBreak();
      settle();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
  });
}

const TOO_LARGE = 'The answer is too large to be held in memory. Read it as a stream instead.';
