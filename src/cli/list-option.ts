import { readIdList } from '../identifiers/id-list.js';

/** `--fields a b`, `--fields a,b` and `--fields a --fields b` mean the same. @returns undefined when it is not given */
export function toList(values: readonly string[] | undefined): string[] | undefined {
  return values
    ?.flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/**
 * `--records a b` and `--records a --records b` mean the same. Commas do not split: an id may hold one. A single value in
 * quotes is read as a line of CSV: `--records '"a","b, c"'`.
 *
 * @returns undefined when it is not given
 */
export function toIds(values: readonly string[] | undefined): string[] | undefined {
  return values && readIdList('records', values).filter((value) => value.trim() !== '');
}

/** A blank never widens an export to everything. @throws {Error} an option is given and says nothing */
export function refuseBlanks(
  lists: Readonly<Record<string, readonly string[] | undefined>>,
  filter: string | undefined,
): void {
  for (const [name, values] of Object.entries(lists)) {
    if (toList(values)?.length === 0)
      throw new Error(`--${name} is empty: name at least one, or leave the option out for all`);
  }
  if (filter?.trim() === '') throw new Error('--filter is blank: leave the option out for all records');
}
