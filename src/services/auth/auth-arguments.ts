import * as z from 'zod';
import {
  argument,
  options,
  type ArgumentsOf,
  type Shape,
  hasMethods,
} from '../../domain/identifiers/check-options.js';
import type { Auth, CookieStore, LoginOptions } from './auth-types.js';

const isCookies = (value: unknown): boolean => hasMethods(value, 'get', 'set', 'delete');
const cookieStore = z.custom<CookieStore>(isCookies, 'must have the methods get, set, delete');
const cookies = argument('cookies', cookieStore);

/** A visitor decides what the link and the browser are: whatever they are, it is no mistake of the host. */
const visitors = z.custom<string>();

const LOGIN = {
  st: visitors.optional(),
  userAgent: visitors.optional(),
  isConfirmed: z.boolean('must be true or false').optional(),
} satisfies Shape<LoginOptions>;

const browser = options({ userAgent: LOGIN.userAgent });
/** A language as in `de` or `pt-br`. */
const signup = options({
  userAgent: LOGIN.userAgent,
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[a-z]{2,4})?$/i, 'must be a language, as in de or pt-br')
    .optional(),
});
const given = argument('given', visitors);

/**
 * Only what the host application decides has a rule here, such as the cookies and the names of options. A mistake is
 * never blamed on the visitor.
 */
export const AUTH_ARGUMENTS: ArgumentsOf<Auth> = {
  signupWithEmail: [given, argument('cookies', cookieStore.optional()), signup],
  login: [given, given, cookies, options(LOGIN)],
  checkLink: [given, given, cookies, options(LOGIN)],
  pendingLink: [cookies],
  showCode: [given, given, cookies, options(LOGIN)],
  loginWithCode: [given, cookies, browser],
  logout: [given, cookies],
  deleteAccount: [given, cookies],
  isSignedIn: { throws: [cookies] },
  currentUser: [cookies],
  listSessions: [cookies],
  personalData: [cookies],
  endSession: [given, cookies],
  confirmEndedSessions: [],
  canonicalAddress: { throws: [given] },
  pseudonymOf: { throws: [argument('subject', z.string('must be text'))] },
  checkReadiness: [],
};

/** Whether a caller without types gave a whole authentication service. */
export function isAuth(value: unknown): boolean {
  return hasMethods(value, ...Object.keys(AUTH_ARGUMENTS));
}

/** The rule, worded as the end of a sentence. */
export const AUTH_RULE = 'must be an authentication service, as createAuthService makes it';
