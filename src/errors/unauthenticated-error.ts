import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The request carries no credential, or one that is unknown, expired or malformed; the answer does not say which. */
export class UnauthenticatedError extends CrfError {
  readonly code = 'unauthenticated';

  constructor(options: CrfErrorOptions = {}) {
    super('Send an API key as a bearer token, or sign in.', options);
  }
}
