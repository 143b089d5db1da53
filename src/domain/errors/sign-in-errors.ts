import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** A sign-in link is used, expired, malformed or unknown. The response does not reveal which. */
export class SignInFailedError extends CrfError {
  static override readonly name = 'SignInFailedError';
  readonly code = 'sign_in_failed';

  constructor(options: CrfErrorOptions = {}) {
    super('This sign-in link cannot be used. Ask for a new one.', options);
  }
}

/** The domain of the email address is not on the allow-list. */
export class DomainNotAllowedError extends CrfError {
  static override readonly name = 'DomainNotAllowedError';
  readonly code = 'domain_not_allowed';

  /** The domains that are allowed; empty unless the operator shows them. */
  readonly domains: readonly string[];

  constructor(domains: readonly string[] = []) {
    const allowed = domains.length === 0 ? 'an allowed domain' : domains.join(' or ');
    super(`Addresses of this domain cannot sign in here. Use an address of ${allowed}.`);
    this.domains = domains;
  }
}

/**
 * A link was opened while another account is signed in. Nothing has changed: sign out first, or let the person confirm.
 */
export class OtherAccountError extends CrfError {
  static override readonly name = 'OtherAccountError';
  readonly code = 'other_account_signed_in';

  constructor() {
    super('Another account is signed in here. Sign out first, or confirm the link in a browser.');
  }
}

/** The operation requires a recent sign-in. Sign in again, then repeat it. */
export class RecentSignInRequiredError extends CrfError {
  static override readonly name = 'RecentSignInRequiredError';
  readonly code = 'recent_sign_in_required';

  constructor() {
    super('Sign in again to confirm that it is you, then repeat this.');
  }
}

/** The session does not exist, or belongs to somebody else. The response does not reveal which. */
export class SessionNotFoundError extends CrfError {
  static override readonly name = 'SessionNotFoundError';
  readonly code = 'session_not_found';

  constructor() {
    super('You have no such session.');
  }
}
