import { InvalidIdentifierError } from '../errors/caller-errors.js';
import { say, type Sentence } from '../errors/sentences.js';
import type { Brand } from './brand.js';

/**
 * A record id that this service accepts for new records: 20 to 100 characters, no control characters, no blanks at
 * either end. The minimum is our rule, not REDCap's, where an id may be `1`. It is the setting `RECORD_ID_MIN_LENGTH`.
 */
export type RecordId = Brand<string, 'RecordId'>;

/** The minimum length of a new record id, unless the setting of this name changes it. */
export const RECORD_ID_MIN_LENGTH = 20;
export const RECORD_ID_MAX_LENGTH = 100;
/** The form of a record id, without its length. Lone surrogates are refused separately. */
// No flags, because the OpenAPI document has the same source, and patterns there have none.
export const RECORD_ID_PATTERN = /^(?!\s)[^\u0000-\u001f\u007f-\u009f]+(?<!\s)$/;

/** Checks whether a value is acceptable as the id of a new record. */
export function isRecordId(value: unknown, minLength = RECORD_ID_MIN_LENGTH): value is RecordId {
  return (
    typeof value === 'string' &&
    value.length >= minLength &&
    value.length <= RECORD_ID_MAX_LENGTH &&
    RECORD_ID_PATTERN.test(value) &&
    !LONE_SURROGATE.test(value)
  );
}

/** @throws {InvalidIdentifierError} naming the rule, never the refused value */
export function RecordId(value: string, minLength = RECORD_ID_MIN_LENGTH): RecordId {
  if (isRecordId(value, minLength)) return value;
  throw new InvalidIdentifierError('A record id', recordIdRule(minLength, value).message);
}

/**
 * A record id that may exist in a project: 1 to 100 characters, no control characters, not blank. Older ids can be
 * shorter than our rule for new ones.
 */
export type ExistingRecordId = Brand<string, 'ExistingRecordId'>;

/**
 * A record id as stored. Reads also accept ids that predate this service's rule for new ids.
 * @pattern ^(?!\s)[^\u0000-\u001f\u007f-\u009f]+(?<!\s)$ must be a record id, without control characters and surrounding blanks
 * @minLength 1
 * @maxLength 100
 * @example "COHORT-2026-PARTICIPANT-0001"
 */
export type RecordIdText = string;

const EXISTING_PATTERN = /^(?!\s*$)[^\u0000-\u001f\u007f-\u009f]{1,100}$/;

/** @throws {InvalidIdentifierError} naming the rule, never the refused value */
export function ExistingRecordId(value: string): ExistingRecordId {
  if (typeof value === 'string' && EXISTING_PATTERN.test(value)) return value as ExistingRecordId; // the only place that creates the brand
  throw new InvalidIdentifierError(
    'A record id',
    'must have 1 to 100 characters, no control character, and not be blank',
  );
}

/** Returns the rule for problem details, which says what would admit an id that is only too short. */
export function recordIdRule(minLength: number, value = ''): Sentence {
  const { length } = value;
  if (length < minLength && isRecordId(value, 1))
    return say('record_id_short', { length, minimum: minLength });
  return say('record_id', { minimum: minLength, maximum: RECORD_ID_MAX_LENGTH });
}

// A lone surrogate cannot be sent as UTF-8: REDCap would receive a different id.
const LONE_SURROGATE = /\p{Cs}/u;
