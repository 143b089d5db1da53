import { InvalidIdentifierError } from '../errors/caller-errors.js';
import type { Brand } from './brand.js';

/**
 * The id of a person's account: 1 to 36 letters, digits, dots, underscores and hyphens, beginning with a letter or a
 * digit.
 *
 * @see docs/protocol/appwrite.md 7.1, custom ids (source)
 */
export type UserId = Brand<string, 'UserId'>;

/** The form of a user id. */
export const USER_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/;

/** Checks whether a value is a user id. */
export function isUserId(value: unknown): value is UserId {
  return typeof value === 'string' && USER_ID_PATTERN.test(value);
}

/** @throws {InvalidIdentifierError} naming the rule, never the refused value */
export function UserId(value: string): UserId {
  if (isUserId(value)) return value;
  throw new InvalidIdentifierError('A user id', USER_ID_RULE);
}

/** The rule, worded as the end of a sentence, for problem details. */
export const USER_ID_RULE =
  'has 1 to 36 letters, digits, dots, underscores and hyphens, and begins with a letter or a digit';
