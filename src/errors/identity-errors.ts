import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The identity backend refused this service: key, scopes, project or allowed hosts are wrong. The operator has to act. */
export class IdentityRefusedError extends CrfError {
  readonly code = 'identity_refused';

  constructor(
    message = 'The identity backend refused this service. Check APPWRITE_* (appwrite in the library) and the scopes of the API key.',
    options: CrfErrorOptions = {},
  ) {
    super(message, options);
  }
}

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
