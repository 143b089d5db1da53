import { InvalidRequestError } from '../../../errors/invalid-request-error.js';

/**
 * A list of names that says what a call is about: never an empty one, which REDCap reads as none given.
 *
 * @throws {InvalidRequestError} there is no name, or a blank one
 */
export function namedList(name: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) throw new InvalidRequestError([{ field: name, message: 'must not be empty' }]);
  const blank = items.findIndex((item) => item.trim() === '');
  if (blank >= 0)
    throw new InvalidRequestError([{ field: `${name}[${blank}]`, message: 'must not be blank' }]);
  return items;
}
