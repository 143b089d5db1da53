import type { Finding } from '../../rules/quality-finding.js';

// The rules whose breach REDCap accepts, named as in a quality check, and what only an import can show: a row begins
// `other_arm` for a stored record, a value had `blanks_around` it, a number is `spreadsheet_damage`, and an
// `unnumbered_id` is new where REDCap numbers the records. `invalid_value` is sent only if misfits are kept;
// `not_checked` once for a field whose limits are not evaluated; `hidden_value` and `required_empty` are checked by a
// dry run only; `other_arm`, and damage of stored numbers, wherever an import reads what is stored.

/** The rule that a warning is about. */
export type WarningRule = keyof WarningCounts;

/** A value that is likely a mistake, a required field that stays empty, or a row that begins another arm. */
export interface ImportWarning extends Finding {
  readonly rule: WarningRule;
  /**
   * The number of the row in the body, from 1.
   * @isInt
   */
  readonly row: number;
  /**
   * The line of the body on which the row begins, from 1.
   * @isInt
   */
  readonly line: number;
}

// The number of warnings by rule.
export type WarningCounts = {
  /** @isInt */
  hidden_value: number;
  /** @isInt */
  required_empty: number;
  /**
   * Rows that begin another arm for a stored record.
   * @isInt
   */
  other_arm: number;
  /** @isInt */
  out_of_range: number;
  /** @isInt */
  invalid_value: number;
  /**
   * Fields with a limit that is not evaluated, such as `today`; left out if there is none.
   * @isInt
   */
  not_checked?: number;
  /**
   * Values of which blanks around them were left out; left out if there is none.
   * @isInt
   */
  blanks_around?: number;
  /**
   * Numbers that a spreadsheet has probably changed; left out if there is none.
   * @isInt
   */
  spreadsheet_damage?: number;
  /**
   * New ids that are no numbers, where REDCap numbers the records; left out if there is none.
   * @isInt
   */
  unnumbered_id?: number;
};

/** What an import accepts although it is likely a mistake. */
export interface ImportWarningList {
  /** @isInt */
  readonly count: number;
  readonly rules: WarningCounts;
  /** The first findings, at most 100. A replayed response has none. */
  readonly first: readonly ImportWarning[];
}
