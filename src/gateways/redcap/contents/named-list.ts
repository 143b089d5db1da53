import { InvalidRequestError } from '../../../errors/caller-errors.js';

/**
 * A list of names that says what a call is about: never an empty one, which REDCap reads as none given.
 *
 * @throws {InvalidRequestError} there is no name, or a blank one
 */
export function namedList(name: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) throw new InvalidRequestError([{ field: name, message: 'must not be empty' }]);
  return withoutBlanks(name, items);
}

/**
 * A list of names that narrows a read, when it is given. An empty one is refused, for REDCap would read it as none given
 * and answer everything.
 *
 * @throws {InvalidRequestError} the list is empty, or a name in it is blank
 * @see docs/protocol/redcap.md 1.5 (client)
 */
export function narrowingList(
  name: string,
  items: readonly string[] | undefined,
): readonly string[] | undefined {
  if (items?.length === 0) throw new InvalidRequestError([{ field: name, message: EMPTY }]);
  return items && withoutBlanks(name, items);
}

/**
 * A text that narrows a read, when it is given: a blank one is refused for the same reason.
 *
 * @throws {InvalidRequestError} the text is blank
 */
export function narrowingText(name: string, text: string | undefined): string | undefined {
  if (text?.trim() === '') throw new InvalidRequestError([{ field: name, message: EMPTY }]);
  return text;
}

/**
 * The rows of an import that are sent as JSON. An empty list is refused here as everywhere else: as a replacement it would
 * delete everything.
 *
 * @throws {InvalidRequestError} there is no row
 */
export function rowsToSend(name: string, rows: readonly object[]): string {
  if (rows.length === 0) throw new InvalidRequestError([{ field: name, message: 'must not be empty' }]);
  return JSON.stringify(rows);
}

const EMPTY = 'must not be empty: leave it out to select everything';

function withoutBlanks(name: string, items: readonly string[]): readonly string[] {
  const blank = items.findIndex((item) => item.trim() === '');
  if (blank >= 0)
    throw new InvalidRequestError([{ field: `${name}[${blank}]`, message: 'must not be blank' }]);
  return items;
}
