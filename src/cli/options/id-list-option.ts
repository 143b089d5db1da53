import { readIdList } from '../../domain/identifiers/id-list.js';

/**
 * Reads a list of IDs: `--records a b` and `--records a --records b` are the same. Commas do not separate, since an ID
 * may contain one. A single value in quotes is read as a line of CSV: `--records '"a","b, c"'`.
 *
 * @returns undefined if not given
 */
export function toIds(values: readonly string[] | undefined): string[] | undefined {
  return values && readIdList('records', values).filter((value) => value.trim() !== '');
}
