import type { Choice } from './choices.js';
import type { Field } from './field.js';

/** The export column of one field, or of one choice of a checkbox field. */
export interface ExportColumn {
  /** `age`, `sites___2`, `demographics_complete`. */
  readonly name: string;
  /** The instrument that contains the field. */
  readonly instrument: string;
  /** The field; undefined for the form status. */
  readonly field: Field | undefined;
  /** The choice, for a column of a checkbox field. */
  readonly choice: Choice | undefined;
}

/**
 * Returns the export column of a checkbox choice. The code is lower-cased, and every character other than letters,
 * digits and the underscore is replaced by an underscore: `-99` becomes `f____99`, `Aa` becomes `f___aa`.
 *
 * @see docs/protocol/redcap.md 4.2, item 6 (wire)
 */
export function checkboxColumnName(fieldName: string, code: string): string {
  return `${fieldName}___${code.toLowerCase().replace(/[^a-z0-9_]/g, '_')}`;
}

/** Returns the name of the field that holds the form status of an instrument. */
export function formStatusName(instrument: string): string {
  return `${instrument}_complete`;
}

/** Groups fields or columns. A single pass, because dictionaries can have 35,000 fields. */
export function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
