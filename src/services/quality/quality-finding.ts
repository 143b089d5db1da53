/**
 * What a finding is about:
 * `invalid_value`: breaks the validation of its field; `out_of_range`: crosses its limits;
 * `required_empty`: a required field that is shown is empty; `hidden_value`: a value stands in a field that its branching
 * logic hides; `stale_calculation`: differs from what its inputs give now; `contradicting_status`: the form status does not fit
 * what the form holds; `not_checked`: logic of the project that is not known here, said once a field.
 */
export const QUALITY_RULES = [
  'invalid_value',
  'out_of_range',
  'required_empty',
  'hidden_value',
  'stale_calculation',
  'contradicting_status',
  'not_checked',
] as const;

export type QualityRule = (typeof QUALITY_RULES)[number];

/** One thing that a study team may want to look at. Never holds a value of a record. */
export interface QualityFinding {
  /** The record id; empty for `not_checked`, which is about the project. */
  readonly record: string;
  /** The unique event name; empty in a classic project. */
  readonly event: string;
  readonly instrument: string;
  /** The repeat instance; null where nothing repeats. */
  readonly instance: number | null;
  /** The export column: `age`, `sites___2`, `demographics_complete`. */
  readonly field: string;
  readonly rule: QualityRule;
  /** The rule in words, as the end of a sentence that begins with the field. */
  readonly message: string;
}
