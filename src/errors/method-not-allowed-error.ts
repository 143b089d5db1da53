import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The path exists, the method does not. `allowed` lists those that do. */
export class MethodNotAllowedError extends CrfError {
  readonly code = 'method_not_allowed';

  constructor(
    readonly allowed: readonly string[],
    options: CrfErrorOptions = {},
  ) {
    super(`Use ${allowed.join(', ')} on this path.`, options);
  }
}
