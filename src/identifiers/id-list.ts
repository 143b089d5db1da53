import { InvalidRequestError } from '../errors/caller-errors.js';

/**
 * Reads a list of ids that may hold commas, as record ids may. Several values are taken as they are; a single one is one id,
 * unless it begins with a quote: then it is a line of CSV, in which a quote is doubled: `"Smith, J","O""Neill"`.
 *
 * @param name what the list is called in a problem
 * @throws {InvalidRequestError} a quote is not closed, or something stands behind it
 */
export function readIdList(name: string, values: readonly string[]): string[] {
  const [only] = values;
  if (values.length !== 1 || only === undefined || !only.startsWith('"')) return [...values];

  const ids: string[] = [];
  for (let rest: string | undefined = only; rest !== undefined;) {
    const match: RegExpExecArray | null = ITEM.exec(rest);
    const [all, quoted, plain = ''] = match ?? [];
    if (all === undefined) {
      const message = 'has a quote that is not closed: double the quotes of an id, or repeat the parameter';
      throw new InvalidRequestError([{ field: name, message }]);
    }
    ids.push(quoted?.replaceAll('""', '"') ?? plain);
    rest = all.length < rest.length ? rest.slice(all.length + 1) : undefined;
  }
  return ids;
}

/** An item in quotes, or one without any; up to the comma behind it or the end. */
const ITEM = /^(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/;

/** A list of ids as one value that `readIdList` reads. */
export function writeIdList(ids: readonly string[]): string {
  return ids.map((id) => `"${id.replaceAll('"', '""')}"`).join(',');
}
