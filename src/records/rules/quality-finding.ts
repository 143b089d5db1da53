import type { Sentence } from '../../domain/errors/sentences.js';

/**
 * The rules of a quality check:
 *
 * - `invalid_value`: the value breaks the validation of its field.
 * - `out_of_range`: the value is outside the limits of its field.
 * - `required_empty`: a required field is shown but empty.
 * - `hidden_value`: a field has a value although its branching logic hides it.
 * - `stale_calculation`: the value differs from the result of its current inputs.
 * - `contradicting_status`: the form status contradicts the content of the form.
 * - `not_checked`: logic of the project that is not supported here, or a calculation with `today` or `now`, whose stored
 *   values are of the day they were saved; reported for the field, not for each record.
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

/** The rule that a finding is about. */
export type QualityRule = (typeof QUALITY_RULES)[number];

/** Where something is found, and what. Never contains a value of a record. */
export interface Finding extends Sentence {
  /** The record id; empty for `not_checked`, which is about the project. */
  readonly record: string;
  /** The unique event name; empty in a classic project. */
  readonly event: string;
  readonly instrument: string;
  /**
   * The number of the repeat instance; null if the instrument does not repeat.
   * @isInt
   */
  readonly instance: number | null;
  /** The name of the export column. */
  readonly field: string;
}

/** A finding that a study team may want to look at. Never contains a value of a record. */
export interface QualityFinding extends Finding {
  readonly rule: QualityRule;
}
