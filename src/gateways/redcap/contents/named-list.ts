import { InvalidRequestError } from '../../../errors/caller-errors.js';
import { Logic } from '../../../logic/builder.js';
import { anyText } from './checked-values.js';

/**
 * Checks a list of names that a call applies to. REDCap would treat an empty list as a missing parameter.
 *
 * @throws {InvalidRequestError} there is no name, or a blank one
 */
export function namedList(name: string, items: readonly string[]): readonly string[] {
  if (listOf(name, items).length === 0)
    throw new InvalidRequestError([{ field: name, message: 'must not be empty' }]);
  return withoutBlanks(name, items);
}

/**
 * Checks an optional list of names that narrows a read. An empty one is refused, because REDCap would treat it as
 * missing and return everything.
 *
 * @throws {InvalidRequestError} the list is empty, or a name in it is blank
 * @see docs/protocol/redcap.md 1.5 (client)
 */
export function narrowingList(
  name: string,
  items: readonly string[] | undefined,
): readonly string[] | undefined {
  if (items === undefined) return undefined;
  if (listOf(name, items).length === 0) throw new InvalidRequestError([{ field: name, message: EMPTY }]);
  return withoutBlanks(name, items);
}

/**
 * Checks an optional text that narrows a read. A blank one is refused for the same reason.
 *
 * @throws {InvalidRequestError} the value is not text, or is blank
 */
export function narrowingText(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (anyText(name, text).trim() === '') throw new InvalidRequestError([{ field: name, message: EMPTY }]);
  return text;
}

/**
 * Checks an optional filter, as text or as `where` builds it. @returns its text
 *
 * @throws {InvalidRequestError} it is blank, or neither text nor built
 */
export function narrowingLogic(logic: string | Logic | undefined): string | undefined {
  return narrowingText('filterLogic', logic instanceof Logic ? logic.toString() : logic);
}

/**
 * Writes the rows of an import as JSON. An empty list is refused, because as a replacement it would delete everything.
 *
 * @throws {InvalidRequestError} there are no rows
 */
export function rowsToSend(name: string, rows: readonly object[]): string {
  if (rows.length === 0) throw new InvalidRequestError([{ field: name, message: 'must not be empty' }]);
  return JSON.stringify(rows);
}

/**
 * Checks a list of a caller without types.
 *
 * @throws {InvalidRequestError} it is not a list
 */
export function listOf<Item>(name: string, items: readonly Item[]): readonly Item[] {
  const isList: boolean = Array.isArray(items);
  if (isList) return items;
  throw new InvalidRequestError([{ field: name, message: 'must be a list' }]);
}

const EMPTY = 'must not be empty: leave it out to select everything';

function withoutBlanks(name: string, items: readonly string[]): readonly string[] {
  const blank = items.findIndex((item) => typeof item !== 'string' || item.trim() === '');
  if (blank >= 0) {
    const message = typeof items[blank] === 'string' ? 'must not be blank' : 'must be text';
    throw new InvalidRequestError([{ field: `${name}[${blank}]`, message }]);
  }
  return items;
}
