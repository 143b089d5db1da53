import type { Choice } from './choices.js';
import type { Field } from './field.js';

/** What one field, or one choice of a checkbox field, becomes in an export. */
export interface ExportColumn {
  /** `age`, `sites___2`, `demographics_complete`. */
  readonly name: string;
  /** The instrument it stands on. */
  readonly instrument: string;
  /** The field; undefined for the form status. */
  readonly field: Field | undefined;
  /** The choice, for a column of a checkbox field. */
  readonly choice: Choice | undefined;
}

/**
 * The export column of a checkbox choice: the code in lower case, every other character than letters, digits and the
 * underscore replaced by one. `-99` becomes `f____99`, `Aa` becomes `f___aa`.
 *
 * @see docs/protocol/redcap.md 4.2, item 6 (wire)
 */
export function checkboxColumnName(fieldName: string, code: string): string {
  return `${fieldName}___${code.toLowerCase().replace(/[^a-z0-9_]/g, '_')}`;
}

/** The field that holds the form status of an instrument. */
export function formStatusName(instrument: string): string {
  return `${instrument}_complete`;
}
