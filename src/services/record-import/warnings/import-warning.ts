import type { QualityFinding } from '../../quality/quality-finding.js';

/** The rules that a dry run checks, named as in a quality check. */
export type WarningRule = 'hidden_value' | 'required_empty';

/** Data in an import that is likely a mistake but that REDCap would store. Never contains a value. */
export interface ImportWarning extends QualityFinding {
  readonly rule: WarningRule;
  /** The number of the row in the input, from 1. */
  readonly row: number;
  /** The line of the input on which the row begins, from 1. */
  readonly line: number;
}

/** The warnings of a dry run. */
export interface ImportWarningList {
  readonly count: number;
  /** The number of warnings by rule. */
  readonly rules: Readonly<Record<WarningRule, number>>;
  /** At most a hundred warnings, in the order of the input. */
  readonly first: readonly ImportWarning[];
}
