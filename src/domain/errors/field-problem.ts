import type { Sentence } from './sentences.js';

/** A problem with one field. Contains the rule, but never the value that violates it. */
export interface FieldProblem {
  /** The location: a parameter, a property path (`records[3].age`), a field name, or what an identifier is of (`record id`). */
  readonly field: string;
  /** The name that was given there, if that is what is wrong: of a field, an instrument, an event… of the project. */
  readonly name?: string;
  /** The rule, which completes a sentence that starts with the name, or else the field: `must be a whole number`. */
  readonly message: string;
  /** The stable code of the message, if it has one, for applications in other languages. */
  readonly code?: Sentence['code'];
  /** What the message says besides its words: limits, choices and names of the project. */
  readonly parameters?: Sentence['parameters'];
}

/** A problem with one field of one record. */
export interface RecordProblem extends FieldProblem {
  /** The record id as sent; absent if the row has none, or one that is refused itself. */
  readonly record?: string;
  /** The number of the row in the input, counted from 1, if this service found the problem. */
  readonly row?: number;
  /** The line of the input where the row begins, counted from 1. */
  readonly line?: number;
  /**
   * The most likely intended value: the code of a choice or the name of a column, from the data dictionary and never
   * from the input.
   */
  readonly suggestion?: string;
  /** How the value would be read with another option of the import, which `message` says as well. */
  readonly hint?: Sentence;
}

/** More problems would make a message nobody reads; `errors` has them all. */
const NAMED_PROBLEMS = 3;

/**
 * Summarizes problems in one message: the first three, and how many there are.
 *
 * @param whenNone the message if there are no problems
 */
export function sentenceOf(problems: readonly FieldProblem[], whenNone: string): string {
  if (problems.length === 0) return whenNone;
  const named = problems.slice(0, NAMED_PROBLEMS);
  const text = named.map((problem) => ended(said(problem))).join(' ');
  if (problems.length === 1) return text;
  const isAll = problems.length === named.length;
  return `${problems.length} problems${isAll ? '' : `, the first ${NAMED_PROBLEMS}`}: ${text}`;
}

/** Returns what is wrong in words, without a stop: `nope is not an instrument of this project`. */
export function said({ field, name = field, message }: FieldProblem): string {
  return `${name} ${message}`;
}

/** Returns a sentence with a stop at its end, unless it has one, as those of REDCap may. */
export function ended(sentence: string): string {
  return /[.?!…]$/.test(sentence) ? sentence : `${sentence}.`;
}
