import { hasMethods } from '../../errors/check-options.js';
import type { Auth } from './auth-types.js';

/** The methods of an authentication service. The compiler misses none. */
const METHODS = Object.keys({
  signupWithEmail: true,
  login: true,
  checkLink: true,
  isSignedIn: true,
  pseudonymOf: true,
  pendingLink: true,
  showCode: true,
  loginWithCode: true,
  logout: true,
  deleteAccount: true,
  currentUser: true,
  listSessions: true,
  personalData: true,
  endSession: true,
  confirmEndedSessions: true,
  canonicalAddress: true,
  checkReadiness: true,
} satisfies Record<keyof Auth, true>);

/** Whether a caller without types gave a whole authentication service. */
export function isAuth(value: unknown): boolean {
  return hasMethods(value, ...METHODS);
}

/** The rule, worded as the end of a sentence. */
export const AUTH_RULE = 'must be an authentication service, as createAuthService makes it';
