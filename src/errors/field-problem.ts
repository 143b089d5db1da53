/** One thing that is wrong with one field. Holds the rule, never the value that broke it. */
export interface FieldProblem {
  /** Where: a parameter, a property path (`records[3].age`), or a field name. */
  readonly field: string;
  /** The rule, as the end of a sentence that begins with the field: `must be a whole number`. */
  readonly message: string;
}

/** One thing that is wrong with one field of one record. */
export interface RecordProblem extends FieldProblem {
  /** The record id, as it was sent. Empty when the record has none. */
  readonly record: string;
}
