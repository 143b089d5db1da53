import * as z from 'zod';
import { argument, options, type ArgumentsOf, type Shape } from '../../errors/check-arguments.js';
import { hasMethods } from '../../errors/check-options.js';
import type { Pseudonyms } from '../pseudonyms.js';
import type { AccountDeletion } from './account-deletion.js';
import type {
  Auth,
  CookieStore,
  DeviceCode,
  LinkCheck,
  LoginOptions,
  PersonalData,
  SessionSummary,
  SessionUser,
  SignupOptions,
  SignupResult,
} from './auth-types.js';
import type { LinkLogin } from './link-login.js';
import type { OtherDevice } from './other-device.js';
import type { Sessions } from './sessions.js';
import type { Signup } from './signup.js';

/** The parts of an authentication service. */
export interface AuthServiceParts {
  readonly signup: Signup;
  readonly linkLogin: LinkLogin;
  readonly otherDevice: OtherDevice;
  readonly sessions: Sessions;
  readonly accountDeletion: AccountDeletion;
  readonly pseudonyms: Pseudonyms;
  readonly ping: () => Promise<void>;
}

/**
 * Passwordless sign-in with links sent by email. Created by `createAuthService`, which checks the arguments.
 * Independent of Express.
 */
export class AuthService implements Auth {
  // Private, to hide the keys in the parts from `inspect`.
  readonly #parts: AuthServiceParts;

  constructor(parts: AuthServiceParts) {
    this.#parts = parts;
  }

  signupWithEmail(email: string, cookies?: CookieStore, options: SignupOptions = {}): Promise<SignupResult> {
    return this.#parts.signup.request(email, cookies, options);
  }

  login(userId: string, secret: string, cookies: CookieStore, options?: LoginOptions): Promise<SessionUser> {
    return this.#parts.linkLogin.use(userId, secret, cookies, options);
  }

  checkLink(
    userId: string,
    secret: string,
    cookies: CookieStore,
    options?: LoginOptions,
  ): Promise<LinkCheck> {
    return this.#parts.linkLogin.check(userId, secret, cookies, options);
  }

  pendingLink(
    cookies: CookieStore,
  ): Promise<{ readonly phrase: string; readonly takesCode: boolean } | undefined> {
    return this.#parts.otherDevice.pendingLink(cookies);
  }

  showCode(
    userId: string,
    secret: string,
    cookies: CookieStore,
    options?: LoginOptions,
  ): Promise<DeviceCode> {
    return this.#parts.otherDevice.showCode(userId, secret, cookies, options);
  }

  loginWithCode(
    code: string,
    cookies: CookieStore,
    options: Pick<LoginOptions, 'userAgent'> = {},
  ): Promise<SessionUser> {
    return this.#parts.otherDevice.loginWithCode(code, cookies, options.userAgent);
  }

  logout(_userId: string | undefined, cookies: CookieStore): Promise<void> {
    return this.#parts.sessions.logout(cookies);
  }

  deleteAccount(userId: string | undefined, cookies: CookieStore): Promise<void> {
    return this.#parts.accountDeletion.run(userId, cookies);
  }

  isSignedIn(cookies: CookieStore): boolean {
    return this.#parts.sessions.hasCookie(cookies);
  }

  currentUser(cookies: CookieStore): Promise<SessionUser | null> {
    return this.#parts.sessions.currentUser(cookies);
  }

  listSessions(cookies: CookieStore): Promise<SessionSummary[]> {
    return this.#parts.sessions.list(cookies);
  }

  personalData(cookies: CookieStore): Promise<PersonalData> {
    return this.#parts.sessions.personalData(cookies);
  }

  endSession(id: string, cookies: CookieStore): Promise<void> {
    return this.#parts.sessions.end(id, cookies);
  }

  confirmEndedSessions(): Promise<void> {
    return this.#parts.sessions.confirmEnded();
  }

  canonicalAddress(email: string): string | undefined {
    return this.#parts.signup.canonicalAddress(email);
  }

  pseudonymOf(subject: string): string {
    return this.#parts.pseudonyms.of(subject);
  }

  checkReadiness(): Promise<void> {
    return this.#parts.ping();
  }
}

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
