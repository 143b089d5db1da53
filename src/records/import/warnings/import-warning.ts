import type { QualityFinding } from '../../rules/quality-finding.js';

/**
 * The rules whose breach REDCap accepts, named as in a quality check, and `other_arm`: a row begins another arm for a
 * stored record. `invalid_value` is sent only if misfits are kept; `not_checked` once for a field whose limits are not evaluated; `hidden_value`, `required_empty` and `other_arm` are
 * checked by a dry run only.
 */
export type WarningRule =
  'hidden_value' | 'required_empty' | 'other_arm' | 'out_of_range' | 'invalid_value' | 'not_checked';

/** Data in an import that is likely a mistake but that REDCap would store. Never contains a value. */
export interface ImportWarning extends Omit<QualityFinding, 'rule'> {
  readonly rule: WarningRule;
  /** The number of the row in the input, from 1. */
  readonly row: number;
  /** The line of the input on which the row begins, from 1. */
  readonly line: number;
}

/** The number of warnings by rule. `not_checked` is left out where there is none. */
export type WarningCounts = Record<Exclude<WarningRule, 'not_checked'>, number> & { not_checked?: number };

/** The warnings of an import or a dry run. */
export interface ImportWarningList {
  readonly count: number;
  /** The number of warnings by rule. */
  readonly rules: Readonly<WarningCounts>;
  /** At most a hundred warnings, in the order of the input. */
  readonly first: readonly ImportWarning[];
}
