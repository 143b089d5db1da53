import { PROBLEMS, type Problem, type ProblemCode } from './problem-table.js';
import type { FieldProblem } from './field-problem.js';

/** The properties of an error in addition to its message. */
export interface CrfErrorOptions extends ErrorOptions {
  /** The individual problems, if there are several; the first hundred are kept. */
  readonly errors?: readonly FieldProblem[];
  /** The number of seconds after which the same call may succeed. */
  readonly retryAfterSeconds?: number;
}

/** An answer with every problem of a long list would be larger than the list. */
const MAX_ERRORS = 100;

/**
 * The base class of every error that this package throws on purpose.
 *
 * `message` is a sentence for people: the field, the rule, and what to do next. It never contains a value from outside,
 * such as a record value, a token or an address.
 */
export abstract class CrfError extends Error {
  /** The stable, public name of the problem. A class with a code that is not in `PROBLEMS` does not compile. */
  abstract readonly code: ProblemCode;

  /** The first hundred of the individual problems. */
  readonly errors: readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;

  /** The id of the failed request, once known. Quote it when you ask for help. */
  requestId: string | undefined;

  /** For a write that was tried more than once: whether an attempt before the last may have been stored. */
  isInDoubt = false;

  constructor(message: string, options: CrfErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.errors = options.errors?.slice(0, MAX_ERRORS) ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** Each class has a literal `name`, which bundlers do not shorten as they do with names of classes. */
  override get name(): string {
    return this.constructor.name;
  }

  /** The HTTP status of the problem, from the table of problems. */
  get status(): number {
    return PROBLEMS[this.code].status;
  }

  /** Whether the same call may succeed later without changes. A write may already have happened: see the class. */
  get isRetryable(): boolean {
    const { isRetryable }: Problem = PROBLEMS[this.code];
    return isRetryable === true;
  }

  /** Ignored. HTTP libraries assign a status, which would throw an error without a setter. */
  set status(_status: number) {
    return;
  }

  /** Returns the properties that may leave the process, which excludes the cause and the stack. */
  toJSON(): object {
    return {
      name: this.name,
      code: this.code,
      status: this.status,
      message: this.message,
      ...(this.errors.length > 0 && { errors: this.errors }),
      ...(this.retryAfterSeconds !== undefined && { retryAfterSeconds: this.retryAfterSeconds }),
      ...(this.requestId !== undefined && { requestId: this.requestId }),
    };
  }
}

/**
 * For `catch`: turns an error of this package into a gap, such as a figure that the token has no right to.
 *
 * @throws every other error, because it is a mistake in the program
 */
export function toGap(error: unknown): undefined {
  if (!(error instanceof CrfError)) throw error;
  return undefined;
}

/**
 * Calls a function of the host application whose failure must not become ours, such as a listener.
 *
 * @returns its result; `undefined` if it threw. A promise that it returns may reject without consequences
 */
export function ignoringErrors<Result>(work: () => Result): Result | undefined {
  try {
    const result = work();
    Promise.resolve(result).catch(() => undefined);
    return result;
  } catch {
    return undefined;
  }
}
