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
  /** The number of the row in the input, from 1, where this service found the problem. */
  readonly row?: number;
  /** The line of the input on which the row begins, from 1. */
  readonly line?: number;
  /** What was meant, most likely: a code of a choice, or the name of a column. From the data dictionary, never from the input. */
  readonly suggestion?: string;
}

/**
 * Several problems as one message: the first one in full, the others as a number.
 *
 * @param whenNone the message when there is no problem to name
 * @param name what the caller called the first field, if that is not the field's name
 */
export function sentenceOf(problems: readonly FieldProblem[], whenNone: string, name?: string): string {
  const [first, ...others] = problems;
  if (first === undefined) return whenNone;
  const isQuestion = first.message.endsWith('?');
  const sentence = `${name ?? first.field} ${first.message}${isQuestion ? '' : '.'}`;
  return others.length === 0 ? sentence : `${problems.length} problems, the first: ${sentence}`;
}
