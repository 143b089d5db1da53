import { refusal } from '../errors/refusal.js';

/**
 * Reads a list of ids that may contain commas, as record ids can. Several values are taken unchanged. A single value is
 * one id, unless it begins with a quote. It is then read as a line of CSV, in which quotes are doubled:
 * `"Smith, J","O""Neill"`.
 *
 * @param name how a problem names the list
 * @throws {InvalidRequestError} a quote is not closed, or is followed by other text
 */
export function readIdList(name: string, values: readonly string[]): string[] {
  const [only] = values;
  if (values.length !== 1 || only === undefined || !only.startsWith('"')) return [...values];

  const ids: string[] = [];
  for (let rest: string | undefined = only; rest !== undefined;) {
    const match: RegExpExecArray | null = ITEM.exec(rest);
    const [all, quoted, plain = ''] = match ?? [];
    if (all === undefined)
      throw refusal(
        name,
        'has a quote that is not closed: double the quotes of an id, or repeat the parameter',
      );
    ids.push(quoted?.replaceAll('""', '"') ?? plain);
    rest = all.length < rest.length ? rest.slice(all.length + 1) : undefined;
  }
  return ids;
}

/** An item, quoted or without any quotes, up to the next comma or the end. */
const ITEM = /^(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/;
