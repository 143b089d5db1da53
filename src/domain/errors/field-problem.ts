import type { Sentence } from './sentences.js';

/** A problem with one field. */
export interface FieldProblem {
  /**
   * The location of the error: a parameter, a property path, or a field of a record.
   * @example "fields[1]"
   */
  readonly field: string;
  /**
   * The name that was given there, if that is what is wrong: of a field, an instrument, an event… of the project.
   * @example "agee"
   */
  readonly name?: string;
  /**
   * The rule that is violated. Never contains the value.
   * @example "is not a field of this project"
   */
  readonly message: string;
  /**
   * The message as a stable code, for applications in other languages: those of docs/reference/sentences.md. Absent for what
   * concerns neither data nor a name of the project.
   * @example "unknown_field"
   */
  readonly code?: Sentence['code'];
  /** What the message says besides its words: limits, choices and names of the project. */
  readonly parameters?: Sentence['parameters'];
}

/** One error in the request. */
export interface RecordProblem extends FieldProblem {
  /** How the value would be read with another option of the import, which `message` says as well. Imports only. */
  readonly hint?: Sentence;
  /**
   * The record id, for errors in records; absent if the row has none, or one that is refused itself.
   * @example "COHORT-2026-PARTICIPANT-0001"
   */
  readonly record?: string;
  /**
   * The number of the row in the body, counted from 1. Imports only.
   * @isInt
   * @example 17
   */
  readonly row?: number;
  /**
   * The line of the body where the row begins, counted from 1. Imports only.
   * @isInt
   * @example 18
   */
  readonly line?: number;
  /**
   * The most likely intended value: the code of a choice whose label was sent, or the name of a column.
   * @example "2"
   */
  readonly suggestion?: string;
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

/**
 * Returns where an item of a list was given: `fields[1]`, or `fields` for the only one, which may have been sent without
 * a list.
 */
export function itemOf(list: string, { length }: readonly unknown[], index: number): string {
  return length === 1 ? list : `${list}[${index}]`;
}

/** Returns a sentence with a stop at its end, unless it has one, as those of REDCap may. */
export function ended(sentence: string): string {
  return /[.?!…]$/.test(sentence) ? sentence : `${sentence}.`;
}
