import { InvalidIdentifierError } from '../errors/caller-errors.js';
import type { Brand } from './brand.js';

/**
 * The name of a field, or of an export column of a checkbox (`sites___2`): a lower-case letter, then lower-case
 * letters, digits and underscores; at most 100 characters.
 *
 * @see docs/protocol/redcap.md 8.1 (client, doc)
 */
export type FieldName = Brand<string, 'FieldName'>;

export const FIELD_NAME_MAX_LENGTH = 100;
/** The form of a field name, without its length. */
export const FIELD_NAME_PATTERN = /^[a-z][a-z0-9_]*$/;

/** Checks whether a value has the form of a field name. */
export function isFieldName(value: unknown): value is FieldName {
  return typeof value === 'string' && value.length <= FIELD_NAME_MAX_LENGTH && FIELD_NAME_PATTERN.test(value);
}

/** @throws {InvalidIdentifierError} naming the rule, never the refused value */
export function FieldName(value: string): FieldName {
  if (isFieldName(value)) return value;
  throw new InvalidIdentifierError('A field name', FIELD_NAME_RULE);
}

/** The rule, worded as the end of a sentence, for problem details. */
export const FIELD_NAME_RULE = `begins with a lower-case letter and has only lower-case letters, digits and underscores, ${FIELD_NAME_MAX_LENGTH} at most`;
