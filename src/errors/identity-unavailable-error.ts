import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The identity backend could not be reached, took too long, or answered 5xx. */
export class IdentityUnavailableError extends CrfError {
  readonly code = 'identity_unavailable';
  override readonly isRetryable = true;

  constructor(options: CrfErrorOptions = {}) {
    super('The identity backend did not answer. Try again in a moment.', {
      retryAfterSeconds: 5,
      ...options,
    });
  }
}
