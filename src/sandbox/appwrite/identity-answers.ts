import type { StoredSession, StoredUser } from './identity-store.js';
import { describeUserAgent } from './user-agent.js';

/**
 * Formats a date as ISO 8601 with milliseconds and `+00:00` instead of `Z`.
 *
 * @see docs/protocol/appwrite.md 5.2 (source)
 */
export function timestamp(date: Date): string {
  return date.toISOString().replace('Z', '+00:00');
}

/** @see docs/protocol/appwrite.md 5.2 (source) */
export function tokenAnswer(
  token: { readonly id: string; readonly expiresAt: Date },
  userId: string,
  secret: string,
  createdAt: Date,
  phrase: string,
): object {
  return {
    $id: token.id,
    $createdAt: timestamp(createdAt),
    userId,
    secret,
    expire: timestamp(token.expiresAt),
    phrase,
  };
}

/** Returns a session with all fields; unknown ones are empty. @see docs/protocol/appwrite.md 5.5 (source) */
export function sessionAnswer(
  session: StoredSession,
  { secret, isCurrent }: { secret: string; isCurrent: boolean },
): object {
  return {
    $id: session.id,
    $createdAt: timestamp(session.createdAt),
    $updatedAt: timestamp(session.createdAt),
    userId: session.userId,
    expire: timestamp(session.expiresAt),
    provider: 'magic-url',
    providerUid: '',
    providerAccessToken: '',
    providerAccessTokenExpiry: '',
    providerRefreshToken: '',
    ip: '127.0.0.1',
    ...describeUserAgent(session.userAgent),
    countryCode: '--',
    countryName: '',
    current: isCurrent,
    factors: ['email'],
    secret,
    mfaUpdatedAt: '',
  };
}

/** @see docs/protocol/appwrite.md 5.7 (source) */
export function accountAnswer(user: StoredUser): object {
  return {
    $id: user.id,
    $createdAt: timestamp(user.createdAt),
    $updatedAt: timestamp(user.createdAt),
    name: '',
    registration: timestamp(user.createdAt),
    status: user.isEnabled,
    labels: [],
    passwordUpdate: '',
    email: user.email,
    phone: '',
    emailVerification: user.isEmailVerified,
    phoneVerification: false,
    mfa: false,
    prefs: {},
    targets: [],
    accessedAt: timestamp(user.createdAt),
  };
}

/**
 * Adds the password hash fields of the users API; they are blank, as users of magic links have no password. (source)
 */
export function userAnswer(user: StoredUser): object {
  return { ...accountAnswer(user), password: '', hash: 'argon2', hashOptions: {} };
}
