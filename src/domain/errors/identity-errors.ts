import { CrfError, type CrfErrorOptions } from './crf-error.js';

/**
 * The identity backend refused this service because of its key, scopes, project or allowed hosts. The operator must
 * act.
 */
export class IdentityRefusedError extends CrfError {
  static override readonly name = 'IdentityRefusedError';
  readonly code = 'identity_refused';

  constructor(
    message = 'The identity backend refused this service. Check APPWRITE_* (appwrite in the library) and the scopes of the API key.',
    options: CrfErrorOptions = {},
  ) {
    super(message, options);
  }
}

/** The identity backend was unreachable, timed out, or responded with a 5xx status. */
export class IdentityUnavailableError extends CrfError {
  static override readonly name = 'IdentityUnavailableError';
  readonly code = 'identity_unavailable';
  override readonly isRetryable = true;

  /** @param reason why there was no answer, as a part of a sentence */
  constructor(options: CrfErrorOptions = {}, reason?: string) {
    super(
      `The identity backend did not answer${reason === undefined ? '' : `: ${reason}`}. Try again in a moment.`,
      {
        retryAfterSeconds: 5,
        ...options,
      },
    );
  }
}
