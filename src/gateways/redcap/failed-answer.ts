import type { IncomingMessage } from 'node:http';
import type { CrfError } from '../../errors/crf-error.js';
import { readBeginning, toAnswerBody, type ReadLimits } from './answer-body.js';
import { classifyStatus } from './classify-answer.js';
import { toErrorBody } from './error-text.js';
import type { WireParameters } from './wire-parameters.js';

/** An answer whose status is not a success. */
export interface FailedAnswer {
  readonly status: number;
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
  return { status, words: wordsOf(body), error: classifyStatus({ status, body, retryAfter }, parameters) };
}

/** How much of the body is read. */
const MAX_BYTES = 64 * 1024;

async function beginningOf(response: IncomingMessage, limits: ReadLimits): Promise<string> {
  try {
    return await readBeginning(toAnswerBody(response), { ...limits, maxBytes: MAX_BYTES });
  } catch (error) {
    if (limits.cancellation.error !== undefined) throw error;
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
