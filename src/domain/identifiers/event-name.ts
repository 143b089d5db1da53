import { InvalidIdentifierError } from '../errors/caller-errors.js';
import { say } from '../errors/sentences.js';
import type { Brand } from './brand.js';

/**
 * The unique name of an event, such as `baseline_arm_1`. A letter is appended if two events of an arm share their label
 * (`baseline_arm_1b`). At most 100 characters.
 *
 * @see docs/protocol/redcap.md 9.2 (client, issue)
 */
export type EventName = Brand<string, 'EventName'>;

export const EVENT_NAME_MAX_LENGTH = 100;
/** The form of a unique event name, without its length. */
export const EVENT_NAME_PATTERN = /^[a-z0-9_]*_arm_[0-9]+[a-z]?$/;

/** Checks whether a value has the form of a unique event name. */
export function isEventName(value: unknown): value is EventName {
  return typeof value === 'string' && value.length <= EVENT_NAME_MAX_LENGTH && EVENT_NAME_PATTERN.test(value);
}

/** @throws {InvalidIdentifierError} naming the rule, never the refused value */
export function EventName(value: string): EventName {
  if (isEventName(value)) return value;
  throw new InvalidIdentifierError('An event name', EVENT_NAME_RULE);
}

/** The rule, worded as the end of a sentence, for problem details. */
export const EVENT_NAME_RULE = say('event_name').message;
