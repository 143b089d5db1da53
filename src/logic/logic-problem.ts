/** Something about one place of a logic text. */
export interface LogicProblem {
  /** The place, counted from 1. */
  readonly at: number;
  /** A sentence without a full stop. It names fields and events, and never repeats a quoted text. */
  readonly message: string;
}

/** @returns `at character 14: [agee] is not a field of this project` */
export function describeProblem({ at, message }: LogicProblem): string {
  return `at character ${at}: ${message}`;
}

/** What stops the parser. It does not leave `parseLogic`. */
export class ParseStop extends Error {
  /**
   * @param start where, from 0
   * @param isBroken whether no reading of the language allows it; otherwise this parser may only not know it
   */
  constructor(
    readonly start: number,
    message: string,
    readonly isBroken = false,
  ) {
    super(message);
  }
}
