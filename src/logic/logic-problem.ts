/** A problem at one position of a logic text. */
export interface LogicProblem {
  /** The position, counted from 1. */
  readonly at: number;
  /** A sentence without a full stop. It names fields and events, and never repeats a quoted text. */
  readonly message: string;
}

/** @returns `at character 14: [agee] is not a field of this project` */
export function describeProblem({ at, message }: LogicProblem): string {
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
    message: string,
    readonly isBroken = false,
  ) {
    super(message);
  }
}
