import { InvalidIdentifierError } from '../errors/caller-errors.js';
import type { Brand } from './brand.js';

/**
 * The unique name of an instrument, such as `visit_1`: a lower-case letter, then lower-case letters, digits and
 * underscores; at most 100 characters.
 */
export type InstrumentName = Brand<string, 'InstrumentName'>;

export const INSTRUMENT_NAME_MAX_LENGTH = 100;
/** The form of the unique name of an instrument, without its length. */
export const INSTRUMENT_NAME_PATTERN = /^[a-z][a-z0-9_]*$/;

/** Checks whether a value has the form of the unique name of an instrument. */
export function isInstrumentName(value: unknown): value is InstrumentName {
  return (
    typeof value === 'string' &&
    value.length <= INSTRUMENT_NAME_MAX_LENGTH &&
    INSTRUMENT_NAME_PATTERN.test(value)
  );
}

/** @throws {InvalidIdentifierError} naming the rule, never the refused value */
export function InstrumentName(value: string): InstrumentName {
  if (isInstrumentName(value)) return value;
  throw new InvalidIdentifierError('An instrument name', INSTRUMENT_NAME_RULE);
}

/** The rule, worded as the end of a sentence, for problem details. */
export const INSTRUMENT_NAME_RULE = `begins with a lower-case letter and has only lower-case letters, digits and underscores, ${INSTRUMENT_NAME_MAX_LENGTH} at most`;
