import type { QualityFinding } from '../../rules/quality-finding.js';

/**
 * The rules whose breach REDCap accepts, named as in a quality check, and what only an import can show: a row begins
 * `other_arm` for a stored record, a value had `blanks_around` it, a number is `spreadsheet_damage`, and an
 * `unnumbered_id` is new where REDCap numbers the records. `invalid_value` is sent only if misfits are kept;
 * `not_checked` once for a field whose limits are not evaluated; `hidden_value` and `required_empty` are checked by a
 * dry run only; `other_arm`, and damage of stored numbers, wherever an import reads what is stored.
 */
export type WarningRule =
  'hidden_value' | 'required_empty' | 'other_arm' | 'out_of_range' | 'invalid_value' | LaterRule;

/** The rules that are left out of the counts where there is none. */
type LaterRule = 'not_checked' | 'blanks_around' | 'spreadsheet_damage' | 'unnumbered_id';

/** Data in an import that is likely a mistake but that REDCap would store. Never contains a value. */
export interface ImportWarning extends Omit<QualityFinding, 'rule'> {
  readonly rule: WarningRule;
  /** The number of the row in the input, from 1. */
  readonly row: number;
  /** The line of the input on which the row begins, from 1. */
  readonly line: number;
}

/** The number of warnings by rule. */
export type WarningCounts = Record<Exclude<WarningRule, LaterRule>, number> &
  Partial<Record<LaterRule, number>>;

/** The warnings of an import or a dry run. */
export interface ImportWarningList {
  readonly count: number;
  /** The number of warnings by rule. */
  readonly rules: Readonly<WarningCounts>;
  /** At most a hundred warnings, in the order of the input. */
  readonly first: readonly ImportWarning[];
}
