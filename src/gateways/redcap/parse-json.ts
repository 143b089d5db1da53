import type { z } from 'zod';
import { UpstreamUnavailableError } from '../../errors/upstream-errors.js';
import { classifyErrorBody, notAsAsked } from './classify-answer.js';
import { toErrorBody } from './error-text.js';

/**
 * Parses the answer to a call that asked for JSON.
 *
 * @param hasMarkedEnd whether the framing proves that nothing is missing
 * @throws {UpstreamInvalidError} an error text, a web page, nothing, no JSON, or JSON of another shape
 * @throws {UpstreamUnavailableError} the text was cut
 */
export function parseJson<Value>(text: string, hasMarkedEnd: boolean, schema: z.ZodType<Value>): Value {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  // Only what may be an error is looked at twice: lists are the large ones.
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
    const isCut =
      (text.startsWith('[') && !text.endsWith(']')) || (text.startsWith('{') && !text.endsWith('}'));
    // Where the framing marks the end, all of it came: it was written so.
    throw isCut && !hasMarkedEnd ? new UpstreamUnavailableError('body') : notAsAsked('JSON');
  }
}
