import { CrfError, type CrfErrorOptions } from './crf-error.js';
import type { FieldProblem } from './field-problem.js';

/** The configuration is not valid. `errors` names every setting that is wrong, never its value. */
export class ConfigurationError extends CrfError {
  readonly code = 'invalid_configuration';

  constructor(errors: readonly FieldProblem[], options: CrfErrorOptions = {}) {
    super(
      `The configuration is not valid: ${errors.map(({ field, message }) => `${field} ${message}`).join('; ')}.`,
      {
        ...options,
        errors,
      },
    );
  }
}
