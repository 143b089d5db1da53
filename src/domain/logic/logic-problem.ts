import type { Sentence } from '../errors/sentences.js';

/** A note about logic: something that could not be checked, or is likely a mistake. */
export interface LogicNote {
  /** The position in the text, counted from 1. */
  readonly at: number;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** A problem at one position of a logic text. Its message names fields and events, and never repeats a quoted text. */
export interface LogicProblem extends LogicNote, Sentence {}

/** @returns `at character 14: [agee] is not a field of this project` */
export function describeProblem({ at, message }: LogicNote): string {
  return `at character ${at}: ${message}`;
}

/** Stops the parser. It never leaves `parseLogic`. */
export class ParseStop extends Error {
  /**
   * @param start the position, counted from 0
   * @param isBroken whether the text is certainly invalid; otherwise this parser may just not know the construct
   */
  constructor(
    readonly start: number,
    readonly sentence: Sentence,
    readonly isBroken = false,
  ) {
    super(sentence.message);
  }
}
