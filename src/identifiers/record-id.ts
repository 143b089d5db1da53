import { InvalidIdentifierError } from '../errors/caller-errors.js';
import type { Brand } from './brand.js';

/**
 * A record id as this service accepts it: 20 to 100 characters, no control character,
 * no blank at either end. The lower bound is our rule, not REDCap's, whose ids may be `1`:
 * it is the setting `RECORD_ID_MIN_LENGTH`.
 */
export type RecordId = Brand<string, 'RecordId'>;

export const RECORD_ID_MIN_LENGTH = 20;
export const RECORD_ID_MAX_LENGTH = 100;
// No flag: the same source stands in the OpenAPI document, where a pattern has none. A lone surrogate is refused by isWellFormed.
export const RECORD_ID_PATTERN = /^(?!\s)[^\u0000-\u001f\u007f-\u009f]+(?<!\s)$/;

export function isRecordId(value: unknown, minLength = RECORD_ID_MIN_LENGTH): value is RecordId {
  return (
    typeof value === 'string' &&
    value.length >= minLength &&
    value.length <= RECORD_ID_MAX_LENGTH &&
    RECORD_ID_PATTERN.test(value) &&
    !LONE_SURROGATE.test(value)
  );
}

/** @throws {InvalidIdentifierError} naming the rule; the refused value is not repeated. */
export function RecordId(value: string, minLength = RECORD_ID_MIN_LENGTH): RecordId {
  if (isRecordId(value, minLength)) return value;
  throw new InvalidIdentifierError('A record id', recordIdRule(minLength));
}

/**
 * A record id as it may stand in a project: 1 to 100 characters, no control character, not blank. Older ones are shorter
 * than our rule for new ones.
 */
export type ExistingRecordId = Brand<string, 'ExistingRecordId'>;

const EXISTING_PATTERN = /^(?!\s*$)[^\u0000-\u001f\u007f-\u009f]{1,100}$/;

/** @throws {InvalidIdentifierError} naming the rule; the refused value is not repeated. */
export function ExistingRecordId(value: string): ExistingRecordId {
  if (EXISTING_PATTERN.test(value)) return value as ExistingRecordId; // the brand's own parser
  throw new InvalidIdentifierError(
    'A record id',
    'has 1 to 100 characters, no control character, and is not blank',
  );
}

/** The rule as the end of a sentence, for problem details. */
export function recordIdRule(minLength = RECORD_ID_MIN_LENGTH): string {
  return `has ${minLength} to ${RECORD_ID_MAX_LENGTH} characters, no control character and no blank at either end`;
}

// Half of a surrogate pair cannot be sent as UTF-8: it would arrive as another id.
const LONE_SURROGATE = /\p{Cs}/u;
