import { checkArguments, methods, options, text } from '../../errors/check-arguments.js';
import { aBoolean, checkedLater, type OptionRules } from '../../errors/check-options.js';
import { ConfigurationError } from '../../errors/operator-errors.js';
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
 * Passwordless sign-in with links sent by email. Created by `createAuthService`. Independent of Express.
 *
 * Arguments that only the host application decides, such as the cookies and the names of options, are checked: a mistake
 * is a `ConfigurationError`, and never blamed on the visitor.
 */
export class AuthService implements Auth {
  // Private, to hide the keys in the parts from `inspect`.
  readonly #parts: AuthServiceParts;

  constructor(parts: AuthServiceParts) {
    this.#parts = parts;
  }

  signupWithEmail(
    email: string,
    cookies?: CookieStore,
    options: Pick<LoginOptions, 'userAgent'> = {},
  ): Promise<SignupResult> {
    return this.#parts.signup.request(email, cookies, options.userAgent);
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

const COOKIES = {
  get: checkedLater,
  set: checkedLater,
  delete: checkedLater,
} satisfies OptionRules<keyof CookieStore>;

/** A visitor decides what the link and the browser are, so only what the host decides has a rule here. */
const LOGIN = {
  st: checkedLater,
  userAgent: checkedLater,
  isConfirmed: aBoolean,
} satisfies OptionRules<keyof LoginOptions>;

const BROWSER = { userAgent: LOGIN.userAgent };

const cookies = methods('cookies', COOKIES);

// A mistake here is the host application's, and never the visitor's.
checkArguments(
  AuthService,
  {
    signupWithEmail: [null, methods('cookies', COOKIES, { isOptional: true }), options(BROWSER)],
    login: [null, null, cookies, options(LOGIN)],
    checkLink: [null, null, cookies, options(LOGIN)],
    pendingLink: [cookies],
    showCode: [null, null, cookies, options(LOGIN)],
    loginWithCode: [null, cookies, options(BROWSER)],
    logout: [null, cookies],
    deleteAccount: [null, cookies],
    isSignedIn: { throws: [cookies] },
    currentUser: [cookies],
    listSessions: [cookies],
    personalData: [cookies],
    endSession: [null, cookies],
    canonicalAddress: { throws: [null] },
    pseudonymOf: { throws: [text('subject')] },
  },
  ConfigurationError,
);
