import { InvalidRequestError } from '../errors/caller-errors.js';

/**
 * Writes a text as a string of REDCap's filter logic.
 *
 * How a quote inside a string is escaped is not known, so a value is wrapped in the kind of quote it does not
 * hold, and refused when it holds both (docs/protocol/redcap.md 7.3, choice). A backslash is refused as well: some
 * clients escape with it, so a server may read it as an escape.
 *
 * @throws {InvalidRequestError} naming the parameter, not the value
 */
export function quoteFilterValue(value: string, parameter: string): string {
  if (/[\u0000-\u001f\u007f\\]/.test(value) || (value.includes("'") && value.includes('"'))) {
    throw new InvalidRequestError([
      { field: parameter, message: 'must not hold a control character, a backslash, or both kinds of quote' },
    ]);
  }
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}
