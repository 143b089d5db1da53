import { CrfError, type CrfErrorOptions } from './crf-error.js';

/**
 * The request has no credential, or one that is unknown, expired or malformed. The response does not reveal which of
 * these three.
 */
export class UnauthenticatedError extends CrfError {
  static override readonly name = 'UnauthenticatedError';
  readonly code = 'unauthenticated';

  /**
   * @param presented an API key was presented in vain, or in the address, which is not tried; or only a session counts and
   *   there is none; without it, there was no credential, or a session that is over
   * @param expired whose key it was, for the logs, if it has expired: `key:portal`; never part of the answer
   */
  constructor(
    readonly presented?: 'api-key' | 'address' | 'session',
    readonly expired?: string,
  ) {
    super(
      {
        'api-key':
          'The API key is unknown or has expired. Check the Authorization header, or ask for a new key.',
        address: 'A token in the address is in every log on the way: send it in the body.',
        session: 'Sign in first: there is no session, or it is over.',
        nothing: 'Send an API key (Authorization: Bearer crf_…), or sign in.',
      }[presented ?? 'nothing'],
    );
  }
}

/** The caller lacks a scope that the route requires. */
export class InsufficientScopeError extends CrfError {
  static override readonly name = 'InsufficientScopeError';
  readonly code = 'insufficient_scope';

  /** @param isOpen whether the service needs no credential, so that the caller is probably its operator */
  constructor(
    readonly scopes: readonly string[],
    options: CrfErrorOptions & { readonly isOpen?: boolean } = {},
  ) {
    const list = scopes.join(' and ');
    super(
      options.isOpen
        ? `Without a credential, nobody has the scope ${list} here. Create an API key that has it (crf key create) and set API_KEYS.`
        : `This route needs the scope ${list}. Ask the operator for a credential that has it.`,
      options,
    );
  }
}

/** The policy of the caller does not grant the operation. */
export class NotInPolicyError extends CrfError {
  static override readonly name = 'NotInPolicyError';
  readonly code = 'not_in_policy';

  constructor(options: CrfErrorOptions = {}) {
    super(
      'The policy of this caller does not allow this. Ask whoever runs the service for the right.',
      options,
    );
  }
}

/** The caller sent too many requests. `retryAfterSeconds` is the time to wait. */
export class RateLimitedError extends CrfError {
  static override readonly name = 'RateLimitedError';
  readonly code = 'rate_limited';

  constructor(retryAfterSeconds: number, options: CrfErrorOptions = {}) {
    super(`Too many requests. Try again in ${retryAfterSeconds} seconds.`, { ...options, retryAfterSeconds });
  }
}

/** A sign-in link is used, expired, malformed or unknown. The response does not reveal which. */
export class SignInFailedError extends CrfError {
  static override readonly name = 'SignInFailedError';
  readonly code = 'sign_in_failed';

  constructor(options: CrfErrorOptions = {}) {
    super('This sign-in link cannot be used. Ask for a new one.', options);
  }
}
