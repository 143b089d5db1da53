import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** A link was opened where another account is signed in. Nothing has changed: sign out first, or have the person confirm. */
export class OtherAccountError extends CrfError {
  readonly code = 'other_account_signed_in';

  constructor(options: CrfErrorOptions = {}) {
    super('Another account is signed in here. Sign out first, or confirm the link in a browser.', options);
  }
}
