import type * as z from 'zod';
import { UpstreamUnavailableError } from '../../errors/upstream-errors.js';
import { classifyErrorBody, notAsAsked } from './classify-answer.js';
import { toErrorBody } from './error-text.js';

/**
 * Parses the answer to a call that requested JSON.
 *
 * @param hasMarkedEnd whether the framing proves that nothing is missing
 * @throws {UpstreamInvalidError} the answer is an error, a web page, empty, not JSON, or JSON of another shape
 * @throws {UpstreamUnavailableError} the text is truncated
 */
export function parseJson<Value>(text: string, hasMarkedEnd: boolean, schema: z.ZodType<Value>): Value {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  // Lists cannot be errors, and they are the large answers, so they are not checked for an error.
  if (!trimmed.startsWith('[')) {
    const errorBody = toErrorBody(trimmed);
    if (errorBody !== undefined) throw classifyErrorBody(errorBody);
  }
  const parsed = schema.safeParse(parsedOrThrow(trimmed, hasMarkedEnd));
  if (!parsed.success) throw notAsAsked('of the shape asked for');
  return parsed.data;
}

function parsedOrThrow(text: string, hasMarkedEnd: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // If the framing marks the end, nothing is missing: the server wrote invalid JSON.
    throw /^[[{]/.test(text) && !hasMarkedEnd ? new UpstreamUnavailableError('body') : notAsAsked('JSON');
  }
}
