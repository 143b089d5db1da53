import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** A sign-in link did not open a session: used, expired, malformed or unknown; the answer does not say which. */
export class SignInFailedError extends CrfError {
  readonly code = 'sign_in_failed';

  constructor(options: CrfErrorOptions = {}) {
    super('This sign-in link cannot be used. Ask for a new one.', options);
  }
}
