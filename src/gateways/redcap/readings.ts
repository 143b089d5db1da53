import type { IncomingMessage, IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type * as z from 'zod';
import { UpstreamInvalidError, UpstreamUnavailableError } from '../../domain/errors/upstream-errors.js';
import type { CrfError } from '../../domain/errors/crf-error.js';
import { utf8OfLatin1 } from '../../domain/bytes/utf8.js';
import { toAnswerBody, toTextBody, type AnswerBody } from './answer-body.js';
import { AnswerStream, type AnswerStreamOptions } from './answer-stream.js';
import { classifyErrorBody, classifyStatus, notAsAsked } from './classify-answer.js';
import { toErrorBody } from './error-text.js';
import { ANY_TEXT_FORM, type ExportForm, FILE_FORM, NO_FILE_FORM } from './export-form.js';
import type { WireParameters } from './wire-parameters.js';

/** How long an answer may take, and how large one may be that is held in memory. Streams have no such limit. */
export interface ReadLimits extends Omit<AnswerStreamOptions, 'form'> {
  readonly maxBytes: number;
}

/** How the answer to a call becomes a value. */
export interface Reading<Value> {
  /** Reads an answer with a successful status. @throws {CrfError} the answer is not what was asked for */
  read(response: IncomingMessage, limits: ReadLimits): Promise<Value>;
  /** Reads an answer with another status. @returns undefined if it is an error */
  readFailure?(failure: FailedAnswer): Value | undefined;
  /** The stream in the value, if it has one: it is read after the call has returned. */
  streamOf?(value: Value): Readable;
  /** Whether the answer must not be compressed. */
  readonly isUncompressed?: boolean;
}

/** A file whose beginning has been accepted. */
interface Download extends FileHead {
  readonly body: AnswerStream;
}

/**
 * Reads plain text, trimmed.
 *
 * @param what how an error names the text
 * @throws {UpstreamInvalidError} the text does not match the pattern
 */
export function asText(pattern: RegExp, what = 'the text asked for'): Reading<string> {
  return {
    async read(response, limits) {
      const text = await readWhole(toTextBody(response), limits);
      const errorBody = toErrorBody(text);
      const trimmed = text.trim();
      if (errorBody?.kind === 'blank' && pattern.test('')) return '';
      if (errorBody !== undefined) throw classifyErrorBody(errorBody);
      if (!pattern.test(trimmed)) throw notAsAsked(what);
      return trimmed;
    },
  };
}

/**
 * Reads JSON.
 *
 * @param emptyIf the message of a 400 that means an empty list, as in a classic project's answer about events
 * @throws {UpstreamInvalidError} the answer is an error, a web page, empty, not JSON, or JSON of another shape
 * @throws {UpstreamUnavailableError} the text is truncated
 */
export function asJson<Value>(schema: z.ZodType<Value>, emptyIf?: RegExp): Reading<Value> {
  return {
    async read(response, limits) {
      const body = toTextBody(response);
      const text = await readWhole(body, limits);
      const trimmed = text.replace(/^\uFEFF/, '').trim();
      // Lists cannot be errors, and they are the large answers, so they are not checked for an error.
      if (!trimmed.startsWith('[')) {
        const errorBody = toErrorBody(trimmed);
        if (errorBody !== undefined) throw classifyErrorBody(errorBody);
      }
      return shaped(schema, parsed(trimmed, body.hasMarkedEnd));
    },
    readFailure: ({ status, words }) =>
      status === 400 && emptyIf?.test(words) ? shaped(schema, []) : undefined,
  };
}

/** Reads the bytes of an export, as soon as its beginning has been recognised. */
export function asExport(form: ExportForm): Reading<AnswerStream> {
  return {
    read: (response, limits) => AnswerStream.open(toTextBody(response), { form, ...limits }),
    streamOf: (stream) => stream,
  };
}

/**
 * Reads a file as soon as the answer is known to be one.
 *
 * @param form the file's format, if it is known; if the format shows where the file ends, the framing need not
 * @throws {UpstreamInvalidError} the answer is not a file, or nothing would show whether it is complete
 */
export function asFile(form: ExportForm | undefined): Reading<Download> {
  return {
    // A compressed answer would have no known length, and most files are already compressed.
    isUncompressed: true,
    async read(response, limits) {
      // With a known format the headers are not needed; some PDFs come without them. See docs/protocol/redcap.md 20.
      const head = readFileHead(response.headers) ?? (form && NAMELESS);
      const body = form === undefined || form.isBinary ? toAnswerBody(response) : toTextBody(response);
      if (head === undefined) {
        // Reads the answer for the error it contains, which this call throws.
        await AnswerStream.open(body, { form: NO_FILE_FORM, ...limits });
        throw notAsAsked('a file');
      }
      if (form === undefined && !body.hasMarkedEnd) {
        body.destroy();
        throw new UpstreamInvalidError(NO_END);
      }
      return { ...head, body: await AnswerStream.open(body, { form: form ?? FILE_FORM, ...limits }) };
    },
    streamOf: ({ body }) => body,
  };
}

/** An answer whose status is not a success. */
interface FailedAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  /** The beginning of the body. */
  readonly body: string;
  /** REDCap's message, or the beginning of the body if it is none of REDCap's errors. */
  readonly words: string;
  readonly error: CrfError;
}

/** Reads an answer whose status is not a success. If its body breaks off, the status is enough. */
export async function readFailure(
  response: IncomingMessage,
  parameters: WireParameters,
  limits: ReadLimits,
): Promise<FailedAnswer> {
  const status = response.statusCode ?? 0;
  const body = await beginningOf(response, limits);
  const retryAfter = response.headers['retry-after'];
  const contentType = response.headers['content-type'];
  return {
    status,
    contentType,
    body,
    words: wordsOf(body),
    error: classifyStatus({ status, body, retryAfter }, parameters),
  };
}

/** How much of the body of a failure is read. */
const MAX_BYTES = 64 * 1024;

/** Returns the beginning as text, which may be cut inside a character. */
async function beginningOf(response: IncomingMessage, limits: ReadLimits): Promise<string> {
  try {
    const form = { ...ANY_TEXT_FORM, isBinary: true };
    const { bytes } = await readBody(toAnswerBody(response), form, { ...limits, maxBytes: MAX_BYTES });
    return bytes.toString('utf8');
  } catch (error) {
    if (limits.cancellation?.error !== undefined) throw error;
    return '';
  }
}

/** @throws {UpstreamInvalidError} the body is larger than what may be held in memory, or not UTF-8 */
async function readWhole(body: AnswerBody, limits: ReadLimits): Promise<string> {
  const { bytes, isCut } = await readBody(body, ANY_TEXT_FORM, limits);
  if (isCut) throw new UpstreamInvalidError(TOO_LARGE);
  return bytes.toString('utf8');
}

const TOO_LARGE = 'The answer is too large to be held in memory. Read it as a stream instead.';

/** Reads a body into memory, up to a limit. @throws {CrfError} the errors of an `AnswerStream` */
async function readBody(
  body: AnswerBody,
  form: ExportForm,
  { maxBytes, ...limits }: ReadLimits,
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of (await AnswerStream.open(body, { form, ...limits })) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks, Math.min(length, maxBytes)), isCut: length > maxBytes };
}

/**
 * Returns REDCap's message without JSON escapes: REDCap writes a slash as `\/`.
 *
 * @see docs/protocol/redcap.md 1.8 (wire)
 */
function wordsOf(body: string): string {
  const errorBody = toErrorBody(body);
  return errorBody?.kind === 'error' ? errorBody.text : body;
}

function parsed(text: string, hasMarkedEnd: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // If the framing marks the end, nothing is missing: the server wrote invalid JSON.
    throw /^[[{]/.test(text) && !hasMarkedEnd ? new UpstreamUnavailableError('body') : notAsAsked('JSON');
  }
}

function shaped<Value>(schema: z.ZodType<Value>, json: unknown): Value {
  const result = schema.safeParse(json);
  if (!result.success) throw notAsAsked('of the shape asked for');
  return result.data;
}

const NAMELESS: FileHead = { name: '', contentType: 'application/octet-stream', length: undefined };
const NO_END =
  'The server in front of REDCap does not say where a file ends: one that breaks off would look whole. Let it send Content-Length, or chunks.';

/** What REDCap's headers state about a file, before its bytes. */
interface FileHead {
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
