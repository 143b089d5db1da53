import { CrfError, type CrfErrorOptions } from './crf-error.js';
import { sentenceOf, type FieldProblem } from './field-problem.js';

/** The configuration is not valid. `errors` names every invalid setting, but never its value. */
export class ConfigurationError extends CrfError {
  static override readonly name = 'ConfigurationError';
  readonly code = 'invalid_configuration';

  constructor(errors: readonly FieldProblem[], options: CrfErrorOptions = {}) {
    const rules = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
    super(`The configuration is not valid: ${rules}${rules.endsWith('?') ? '' : '.'}`, {
      ...options,
      errors,
    });
  }
}

/** The service is shedding load. `retryAfterSeconds` is the time to wait. */
export class OverloadedError extends CrfError {
  static override readonly name = 'OverloadedError';
  readonly code = 'overloaded';

  constructor(options: CrfErrorOptions = {}) {
    super('The service is busy. Try again in a moment.', { retryAfterSeconds: 1, ...options });
  }
}

/** The state that replicas share is unavailable, and the operation is not safe without it. Nothing was done. */
export class SharedStateUnavailableError extends CrfError {
  static override readonly name = 'SharedStateUnavailableError';
  readonly code = 'shared_state_unavailable';

  /** @param reason a fixed word for the log, such as `timeout` or `ECONNREFUSED` */
  constructor(
    readonly reason: string,
    options: CrfErrorOptions = {},
  ) {
    super(`The shared state did not answer (${reason}). Nothing was done: try again in a moment.`, {
      retryAfterSeconds: 5,
      ...options,
    });
  }
}

/** A policy names what the project does not have, or shows nothing of it. It is closed until the operator mends it. */
export class PolicyInvalidError extends CrfError {
  static override readonly name = 'PolicyInvalidError';
  readonly code = 'policy_invalid';

  constructor(
    errors: readonly FieldProblem[],
    readonly policy = 'of the caller',
  ) {
    super(`The policy ${policy} does not fit the project. ${sentenceOf(errors, '')}`, { errors });
  }
}
