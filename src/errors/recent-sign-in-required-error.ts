import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** What was asked for needs a sign-in of the last minutes. Sign in again, then repeat it. */
export class RecentSignInRequiredError extends CrfError {
  readonly code = 'recent_sign_in_required';

  constructor(options: CrfErrorOptions = {}) {
    super('Sign in again to confirm that it is you, then repeat this.', options);
  }
}
