import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** None of the media types the caller accepts can be given. */
export class NotAcceptableError extends CrfError {
  readonly code = 'not_acceptable';

  constructor(
    readonly available: readonly string[],
    options: CrfErrorOptions = {},
  ) {
    super(`Accept one of ${available.join(', ')}.`, options);
  }
}
