import type { QualityFinding } from '../../quality/quality-finding.js';

/** What a dry run warns of, in the words of a quality check. */
export type WarningRule = 'hidden_value' | 'required_empty';

/** Something in an import that is likely a mistake, and that REDCap stores all the same. Never holds a value. */
export interface ImportWarning extends QualityFinding {
  readonly rule: WarningRule;
}

/** What a dry run noticed. */
export interface ImportWarningList {
  readonly count: number;
  /** How many there are by rule. */
  readonly rules: Readonly<Record<WarningRule, number>>;
  /** At most a hundred. */
  readonly first: readonly ImportWarning[];
}
