/** How a cookie is set. SvelteKit's and Express's options both take these. */
export interface CookieAttributes {
  readonly path: string;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'lax' | 'strict' | 'none';
  readonly expires?: Date;
  /** Seconds. */
  readonly maxAge?: number;
}

/** The cookies of one request and its answer. SvelteKit's `Cookies` satisfies it as it is; Express is adapted. */
export interface CookieStore {
  get(name: string): string | undefined;
  set(name: string, value: string, attributes: CookieAttributes): void;
  delete(name: string, attributes: CookieAttributes): void;
}

/** The person behind a session. */
export interface SessionUser {
  readonly id: string;
  readonly email: string;
  /** The session that the request carries. */
  readonly sessionId: string;
  /** When the link was used; ISO 8601. A site can ask for a more recent one. */
  readonly authenticatedAt: string;
  /** When the session ends; ISO 8601. */
  readonly expiresAt: string;
  /** How the person proved who they are. */
  readonly method: 'magic-url';
}

/** A session in the person's own list. Holds no secret. */
export interface SessionSummary {
  readonly id: string;
  readonly isCurrent: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** `Firefox on Linux`, or empty when unknown. */
  readonly device: string;
  /** The country of the network, or empty when unknown. */
  readonly country: string;
}

export interface SignupResult {
  /** The id of the magic-URL token. It opens nothing: the secret leaves by email only. */
  readonly token: string;
}

/** What the browser that opens a link has to do: nothing, or press a button first. */
export type LoginConfirm = 'never' | 'unbound' | 'always';

/** What callers of the authentication service see of it. */
export interface Auth {
  /**
   * Mails a magic URL to the address.
   *
   * @param cookies when given, the asking browser is marked, so that it is known again (LOGIN_CONFIRM=unbound)
   * @throws {InvalidIdentifierError} the address is malformed
   * @throws {DomainNotAllowedError} the domain is not on the allow-list
   * @throws {RateLimitedError} too many for this address
   * @throws {IdentityUnavailableError | IdentityRefusedError} the identity backend failed
   */
  signupWithEmail(email: string, cookies?: CookieStore): Promise<SignupResult>;
  /**
   * Uses a link: sets the session cookie.
   *
   * @throws {SignInFailedError} whatever is wrong with the link
   * @throws {IdentityUnavailableError} the link is still good
   */
  login(userId: string, secret: string, cookies: CookieStore): Promise<SessionUser>;
  /** Ends the session of the cookies and clears them. Says nothing when there is none. */
  logout(userId: string | undefined, cookies: CookieStore): Promise<void>;
  /**
   * Deletes the account of the session, all its sessions first.
   *
   * @throws {RecentSignInRequiredError} the session is older than ten minutes
   */
  deleteAccount(userId: string | undefined, cookies: CookieStore): Promise<void>;
  /** @returns the person, or null without a valid session @throws {IdentityUnavailableError} it cannot be known */
  currentUser(cookies: CookieStore): Promise<SessionUser | null>;
  /** @throws {UnauthenticatedError} without a valid session */
  listSessions(cookies: CookieStore): Promise<SessionSummary[]>;
  /** @throws {SessionNotFoundError} not a session of this person */
  endSession(id: string, cookies: CookieStore): Promise<void>;
}
