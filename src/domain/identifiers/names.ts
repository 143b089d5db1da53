import { InvalidIdentifierError } from '../errors/caller-errors.js';
import { say } from '../errors/sentences.js';
import type { Brand } from './brand.js';

/**
 * The name of a field, or of an export column of a checkbox (`sites___2`): a lower-case letter, then lower-case
 * letters, digits and underscores; at most 100 characters.
 *
 * @see docs/protocol/redcap.md 8.1 (client, doc)
 */
export type FieldName = Brand<string, 'FieldName'>;

/**
 * A field name, or the name of one export column of a checkbox field.
 * @pattern ^[a-z][a-z0-9_]*$ must be the name of a field: lower-case letters, digits and underscores
 * @maxLength 100
 * @example "age"
 */
export type FieldNameText = string;

export const FIELD_NAME_MAX_LENGTH = 100;
/** The form of a field name, without its length. */
export const FIELD_NAME_PATTERN = /^[a-z][a-z0-9_]*$/;
/** The rule, worded as the end of a sentence, for problem details; so are those below. */
export const FIELD_NAME_RULE = `begins with a lower-case letter and has only lower-case letters, digits and underscores, ${FIELD_NAME_MAX_LENGTH} at most`;

/** Checks whether a value has the form of a field name. */
export const isFieldName = hasForm<FieldName>(FIELD_NAME_PATTERN, FIELD_NAME_MAX_LENGTH);

/** @throws {InvalidIdentifierError} naming the rule, never the refused value */
export const FieldName = branded(isFieldName, 'A field name', FIELD_NAME_RULE);

/** The unique name of an instrument, such as `visit_1`, in the form of a field name. */
export type InstrumentName = Brand<string, 'InstrumentName'>;

/**
 * The unique name of an instrument.
 * @pattern ^[a-z][a-z0-9_]*$ must be the name of an instrument: lower-case letters, digits and underscores
 * @maxLength 100
 * @example "demographics"
 */
export type InstrumentNameText = string;

export const INSTRUMENT_NAME_MAX_LENGTH = 100;
/** The form of the unique name of an instrument, without its length. */
export const INSTRUMENT_NAME_PATTERN = /^[a-z][a-z0-9_]*$/;
export const INSTRUMENT_NAME_RULE = `${FIELD_NAME_RULE}`;

/** Checks whether a value has the form of the unique name of an instrument. */
export const isInstrumentName = hasForm<InstrumentName>(INSTRUMENT_NAME_PATTERN, INSTRUMENT_NAME_MAX_LENGTH);

/** @throws {InvalidIdentifierError} naming the rule, never the refused value */
export const InstrumentName = branded(isInstrumentName, 'An instrument name', INSTRUMENT_NAME_RULE);

/**
 * The unique name of an event, such as `baseline_arm_1`. A letter is appended if two events of an arm share their label
 * (`baseline_arm_1b`). At most 100 characters.
 *
 * @see docs/protocol/redcap.md 9.2 (client, issue)
 */
export type EventName = Brand<string, 'EventName'>;

/**
 * A unique event name.
 * @pattern ^[a-z0-9_]*_arm_[0-9]+[a-z]?$ must be a unique event name, as in baseline_arm_1
 * @maxLength 100
 * @example "baseline_arm_1"
 */
export type EventNameText = string;

export const EVENT_NAME_MAX_LENGTH = 100;
/** The form of a unique event name, without its length. */
export const EVENT_NAME_PATTERN = /^[a-z0-9_]*_arm_[0-9]+[a-z]?$/;
export const EVENT_NAME_RULE = say('event_name').message;

/** Checks whether a value has the form of a unique event name. */
export const isEventName = hasForm<EventName>(EVENT_NAME_PATTERN, EVENT_NAME_MAX_LENGTH);

/** @throws {InvalidIdentifierError} naming the rule, never the refused value */
export const EventName = branded(isEventName, 'An event name', EVENT_NAME_RULE);

/**
 * The id of a person's account: 1 to 36 letters, digits, dots, underscores and hyphens, beginning with a letter or a
 * digit.
 *
 * @see docs/protocol/appwrite.md 7.1, custom ids (source)
 */
export type UserId = Brand<string, 'UserId'>;

/** The form of a user id. */
export const USER_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/;
export const USER_ID_RULE =
  'must have 1 to 36 letters, digits, dots, underscores and hyphens, and begin with a letter or a digit';

/** Checks whether a value is a user id. */
export const isUserId = hasForm<UserId>(USER_ID_PATTERN);

/** @throws {InvalidIdentifierError} naming the rule, never the refused value */
export const UserId = branded(isUserId, 'A user id', USER_ID_RULE);

// Functions, so that they exist before the constants above are made.

function hasForm<Name extends string>(pattern: RegExp, maxLength = Infinity) {
  return (value: unknown): value is Name =>
    typeof value === 'string' && value.length <= maxLength && pattern.test(value);
}

function branded<Name extends string>(isName: (value: unknown) => value is Name, what: string, rule: string) {
  return (value: string): Name => {
    if (isName(value)) return value;
    throw new InvalidIdentifierError(what, rule);
  };
}
