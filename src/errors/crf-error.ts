import { PROBLEMS, type ProblemCode } from './problem-table.js';
import type { FieldProblem } from './field-problem.js';

/** What an error may carry besides its sentence. */
export interface CrfErrorOptions extends ErrorOptions {
  /** The single things that are wrong, when there are several. */
  readonly errors?: readonly FieldProblem[];
  /** Seconds after which the same call may succeed. */
  readonly retryAfterSeconds?: number;
}

/**
 * The base of every error this package throws on purpose.
 *
 * `message` is one sentence for a person: the field, the rule, what to do next.
 * It never holds a value that came from outside: no record value, token or address.
 */
export abstract class CrfError extends Error {
  /** Stable, public name of the problem. A class without a row in `PROBLEMS` does not compile. */
  abstract readonly code: ProblemCode;

  /** Whether the same call may succeed later without a change. A write may have happened: see the class. */
  readonly isRetryable: boolean = false;

  readonly errors: readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;

  /** The id of the request that failed, once it is known: quote it when you ask for help. */
  requestId: string | undefined;

  /** Of a write that was tried more than once: whether an attempt before the last may have been stored. */
  isInDoubt = false;

  constructor(message: string, options: CrfErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  override get name(): string {
    return this.constructor.name;
  }

  /** The HTTP status of the problem, from the one table that knows. */
  get status(): number {
    return PROBLEMS[this.code].status;
  }

  /** Ignored. Libraries of HTTP assign a status of their own; without a setter the assignment would throw where they do it. */
  set status(_status: number) {
    return;
  }

  /** What may leave the process: no cause, no stack. */
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
