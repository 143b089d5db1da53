import { CrfError, type CrfErrorOptions } from './crf-error.js';
import { PROBLEMS, type Problem, type ProblemCode } from './problem-table.js';

type Table = typeof PROBLEMS;

/** The problems that need no class of their own. */
export type PlainProblem = {
  [Code in ProblemCode]: Table[Code] extends { readonly advice: unknown } ? Code : never;
}[ProblemCode];

/** What the sentence of a problem is made of, such as the methods that are `allowed`. */
export type ProblemDetails<Code extends PlainProblem> = Table[Code]['advice'] extends (
  details: infer Details,
) => string
  ? Details
  : object;

/** A problem that callers tell by its `code`. Its sentence is that of the table. */
export class ProblemError<Code extends PlainProblem = PlainProblem> extends CrfError {
  static override readonly name = 'ProblemError';
  readonly code: Code;
  readonly details: ProblemDetails<Code>;

  constructor(
    code: Code,
    ...[given]: object extends ProblemDetails<Code>
      ? [given?: ProblemDetails<Code> & CrfErrorOptions]
      : [given: ProblemDetails<Code> & CrfErrorOptions]
  ) {
    const { advice, retryAfterSeconds }: Advised = PROBLEMS[code];
    const details = (given ?? {}) as ProblemDetails<Code>; // what may be left out has a default in the table
    super(typeof advice === 'string' ? advice : advice(details as never), {
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...given,
    });
    this.code = code;
    this.details = details;
  }
}

type Advised = Problem & Required<Pick<Problem, 'advice'>>;

/** Whether an error is one of these problems. */
export function isProblem<Code extends PlainProblem>(
  error: unknown,
  ...codes: readonly Code[]
): error is ProblemError<Code> {
  return error instanceof ProblemError && codes.some((code) => code === error.code);
}
