import { CrfError, type CrfErrorOptions } from './crf-error.js';
import { SENTENCES_OF_PROBLEMS } from './problem-sentences.js';
import { PROBLEMS, type Problem } from './problem-table.js';

type Sentences = typeof SENTENCES_OF_PROBLEMS;

/** The problems that need no class of their own. */
export type PlainProblem = keyof Sentences;

/** What the sentence of a problem is made of, such as the methods that are `allowed`. */
export type ProblemDetails<Code extends PlainProblem> = Sentences[Code] extends (
  details: infer Details,
) => string
  ? Details
  : object;

/** A problem that callers tell by its `code`. Its sentence is in `problem-sentences.ts`. */
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
    const { retryAfterSeconds }: Problem = PROBLEMS[code];
    const details = (given ?? {}) as ProblemDetails<Code>; // what may be left out has a default in the sentence
    const sentence: string | ((details: never) => string) = SENTENCES_OF_PROBLEMS[code];
    super(typeof sentence === 'string' ? sentence : sentence(details as never), {
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...given,
    });
    this.code = code;
    this.details = details;
  }
}

/** Whether an error is one of these problems. */
export function isProblem<Code extends PlainProblem>(
  error: unknown,
  ...codes: readonly Code[]
): error is ProblemError<Code> {
  return error instanceof ProblemError && codes.some((code) => code === error.code);
}
