import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The service sheds load. `retryAfterSeconds` says when to come back. */
export class OverloadedError extends CrfError {
  readonly code = 'overloaded';
  override readonly isRetryable = true;

  constructor(options: CrfErrorOptions = {}) {
    super('The service is busy. Try again in a moment.', { retryAfterSeconds: 1, ...options });
  }
}
