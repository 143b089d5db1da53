import type { IncomingMessage } from 'node:http';
import type { CrfError } from '../../errors/crf-error.js';
import { readText, toAnswerBody } from './answer-body.js';
import type { Cancellation } from './cancellation.js';
import { classifyStatus } from './classify-answer.js';
import { toErrorBody } from './error-text.js';
import type { HttpTarget } from './http-exchange.js';
import type { WireParameters } from './wire-parameters.js';

/** An answer whose status is not a success. */
export interface FailedAnswer {
  readonly status: number;
  /** REDCap's message, or the beginning of the body if it is none of REDCap's errors. */
  readonly words: string;
  readonly error: CrfError;
}

interface ReadOptions {
  /** The server that answered. */
  readonly target: Pick<HttpTarget, 'clock' | 'timeouts'>;
  readonly cancellation: Cancellation | undefined;
}

/** Reads an answer whose status is not a success. If its body breaks off, the status is enough. */
export async function readFailure(
  response: IncomingMessage,
  parameters: WireParameters,
  options: ReadOptions,
): Promise<FailedAnswer> {
  const status = response.statusCode ?? 0;
  const body = await beginningOf(response, options);
  const retryAfter = response.headers['retry-after'];
  return { status, words: wordsOf(body), error: classifyStatus({ status, body, retryAfter }, parameters) };
}

/** How much of the body is read. */
const LIMIT_BYTES = 64 * 1024;

async function beginningOf(
  response: IncomingMessage,
  { target: { clock, timeouts }, cancellation }: ReadOptions,
): Promise<string> {
  const { idleMs } = timeouts;
  try {
    const body = toAnswerBody(response);
    return await readText(body, { cancellation, idleMs, clock, limitBytes: LIMIT_BYTES, onExcess: 'stop' });
  } catch (error) {
    if (cancellation?.error !== undefined) throw error;
    return '';
  }
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
