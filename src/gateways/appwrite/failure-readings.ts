import type { AppwriteFailure } from './appwrite-failure.js';
import type { AccountLookup, LinkRequestOutcome } from './identity-types.js';

/**
 * 4xx answers that distinguish a known address from an unknown one. The caller of signup must not see the difference.
 */
const DECLINING_TYPES = new Set([
  'user_already_exists',
  'user_blocked',
  'user_count_exceeded',
  'user_email_already_exists',
  'user_email_disposable',
  'user_email_free',
  'user_email_not_canonical',
  'user_email_not_corporate',
]);

/** Reads the failure of a link request. @see docs/protocol/appwrite.md 4, 5.2 (source) */
export function declinedLink(failure: AppwriteFailure): LinkRequestOutcome | undefined {
  const { status, type, parameter } = failure;
  if (DECLINING_TYPES.has(type)) return { kind: 'declined' };
  // From a proxy, or from a policy of Appwrite Cloud that is not part of the open source code.
  if (status === 409) return { kind: 'declined' };
  if (type === 'general_invalid_email' || (type === 'general_argument_invalid' && parameter === 'email')) {
    return { kind: 'malformed-address' };
  }
  return status === 500 && type === 'general_unknown' ? { kind: 'maybe-id-taken' } : undefined;
}

/**
 * Reads the failure of a call with an invalid session, which Appwrite answers as if nobody were signed in.
 *
 * @see docs/protocol/appwrite.md 1, 4 (source)
 */
export function deadSession({ type }: AppwriteFailure): Exclude<AccountLookup['kind'], 'active'> | undefined {
  switch (type) {
    case 'general_unauthorized_scope':
    case 'user_unauthorized':
    case 'user_jwt_invalid':
      return 'no-session';
    case 'user_blocked':
      return 'blocked';
    case 'user_more_factors_required':
    case 'user_password_reset_required':
      return 'more-factors-required';
    default:
      return undefined;
  }
}

/** Reads the failure of a call whose user or session does not exist. */
export function gone({ type }: AppwriteFailure): 'gone' | undefined {
  return type === 'user_not_found' || type === 'user_session_not_found' ? 'gone' : undefined;
}
