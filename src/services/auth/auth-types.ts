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
  /** When the session ends at the latest; ISO 8601. Left unused it ends earlier. */
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
  /**
   * Some words that stand in the mail too (AUTH-08). Show them to whoever asked: a mail with other words is one that
   * somebody else asked for. Empty when the identity backend has none.
   */
  readonly phrase: string;
}

/** The parts of a link. */
export interface LinkToUse {
  readonly userId: string;
  readonly secret: string;
  readonly st?: string | undefined;
}

/** Where a link was asked for, for the person who opens it on another device. */
export interface AskingDevice {
  /** The words that the asking device shows. */
  readonly phrase: string;
  /** `Firefox on Linux`, or empty when unknown. */
  readonly device: string;
  /** ISO 8601. */
  readonly askedAt: string;
}

/** A short code that stands for a link, good in the browser that asked for it and nowhere else (LOGIN-15). */
export interface DeviceCode extends AskingDevice {
  /** `WDJB-MJHT` */
  readonly code: string;
}

/** What the browser that opens a link has to do: nothing, or press a button first. */
export type LoginConfirm = 'never' | 'unbound' | 'always';

/** What an opened link carries besides the user id and the secret. */
export interface LoginOptions {
  /**
   * The signed state that signup put into the link. One that was altered is refused. A link without it is refused where
   * `signedLinksOnly` is set; otherwise it is judged by what this process remembers of it and by the identity backend's
   * own hour.
   */
  readonly st?: string | undefined;
  /** The browser's user agent, for the person's list of sessions. */
  readonly userAgent?: string | undefined;
  /** The person has pressed a button: needed where another account is signed in (LOGIN-11). */
  readonly isConfirmed?: boolean | undefined;
}

/** Another account is signed in: using the link would end its session. */
export interface AccountSwitch {
  /** The address of the link's account, masked: `a•••@example.org`. Absent when the link does not prove whose it is. */
  readonly account?: string | undefined;
}

/** What can be said of a link before it is used. */
export interface LinkCheck {
  /** Whether this browser asked for the link. */
  readonly isBound: boolean;
  /** Whether a button comes first: as `loginConfirm` has it, or because another account is signed in. */
  readonly isConfirmNeeded: boolean;
  /**
   * The device that asked, when it is another one and can be signed in by a code. Only where `loginConfirm` brings a page
   * between the link and the session.
   */
  readonly otherDevice?: AskingDevice | undefined;
  /** What the person has to know before they press it. */
  readonly accountSwitch?: AccountSwitch | undefined;
}

/** A person's own data, as docs/personal-data.md lists them (ACCT-05). */
export interface PersonalData {
  readonly account: {
    readonly id: string;
    readonly email: string;
    readonly isEnabled: boolean;
    readonly isEmailVerified: boolean;
    /** ISO 8601; of the session that asks. */
    readonly authenticatedAt: string;
  };
  readonly sessions: readonly SessionSummary[];
}

/** What callers of the authentication service see of it. */
export interface Auth {
  /**
   * Mails a magic URL to the address.
   *
   * The answer and its time are the same for known, new, blocked and refused accounts (AUTH-02, AUTH-03).
   *
   * @param cookies when given, the asking browser is marked, so that it is known again (LOGIN_CONFIRM=unbound)
   * @throws {InvalidIdentifierError} the address is malformed
   * @throws {DomainNotAllowedError} the domain is not on the allow-list
   * @throws {IdentityUnavailableError | IdentityRefusedError} the identity backend failed
   */
  signupWithEmail(
    email: string,
    cookies?: CookieStore,
    options?: Pick<LoginOptions, 'userAgent'>,
  ): Promise<SignupResult>;
  /**
   * Uses a link: sets the session cookie. A session that the cookies carry already is replaced, and ended; one of
   * another account only when the person has confirmed it, since the link may be somebody else's doing (LOGIN-11).
   *
   * @throws {SignInFailedError} whatever is wrong with the link
   * @throws {OtherAccountError} another account is signed in, and `isConfirmed` was not given; the link is still good
   * @throws {IdentityUnavailableError} the link is still good
   * @throws {IdentityRefusedError} the API key is wrong or lacks a scope; the link is still good
   */
  login(userId: string, secret: string, cookies: CookieStore, options?: LoginOptions): Promise<SessionUser>;
  /**
   * Judges a link by its form, its age and its browser. Uses nothing up; asks the identity backend only for the name of
   * the link's account where another one is signed in.
   *
   * @throws {SignInFailedError} it is malformed, altered, too old, or was used here already
   * @throws {IdentityUnavailableError | IdentityRefusedError} the name cannot be known
   */
  checkLink(userId: string, secret: string, cookies: CookieStore, options?: LoginOptions): Promise<LinkCheck>;
  /** Whether there is a cookie of a session that is not over by its own times: nobody is asked. It opens nothing. */
  isSignedIn(cookies: CookieStore): boolean;
  /** @returns what logs call a person, by a keyed hash of the user id or the address: the `actor` of the events of the sign-in */
  pseudonymOf(subject: string): string;
  /** @returns the phrase of the request that this browser made last, and whether a code can complete it; nothing when it made none */
  pendingLink(
    cookies: CookieStore,
  ): Promise<{ readonly phrase: string; readonly takesCode: boolean } | undefined>;
  /**
   * Makes the code that signs in the device that asked for a link, for whoever holds the link on another device. The
   * link stays good until either of them uses it. A code that was shown before is void.
   *
   * @throws {SignInFailedError} whatever is wrong with the link; also when this browser asked for it itself, when no browser
   * did, and when this process does not know the request
   */
  showCode(userId: string, secret: string, cookies: CookieStore, options?: LoginOptions): Promise<DeviceCode>;
  /**
   * Uses the link behind a code, in the browser that asked for the link. Five wrong codes end the request and its link.
   *
   * @throws what `login` throws; {SignInFailedError} for a code that is wrong, or typed in another browser
   */
  loginWithCode(
    code: string,
    cookies: CookieStore,
    options?: Pick<LoginOptions, 'userAgent'>,
  ): Promise<SessionUser>;
  /**
   * Ends the session of the cookies and clears them. Says nothing when there is none, and never fails: while the
   * identity backend is down the session is refused here until its end is confirmed there.
   *
   * @param userId only for the caller's convenience: nobody's session but that of the cookies is ended
   */
  logout(userId: string | undefined, cookies: CookieStore): Promise<void>;
  /**
   * Deletes the account of the session, all its sessions first. After a failure the same call goes on where it stopped.
   *
   * @param userId when given, must be the person of the session
   * @throws {UnauthenticatedError} without a valid session, or with somebody else's user id
   * @throws {RecentSignInRequiredError} the sign-in is older than ten minutes
   * @throws {IdentityUnavailableError | IdentityRefusedError} a step failed: repeat the call
   */
  deleteAccount(userId: string | undefined, cookies: CookieStore): Promise<void>;
  /**
   * Finds out who is signed in. This is what counts as using a session: at most once a minute it sets the cookie anew,
   * so call it before the answer begins.
   *
   * @returns the person, or null without a valid session
   * @throws {IdentityUnavailableError} it cannot be known
   */
  currentUser(cookies: CookieStore): Promise<SessionUser | null>;
  /** @throws {UnauthenticatedError} without a valid session */
  listSessions(cookies: CookieStore): Promise<SessionSummary[]>;
  /** @returns all that the identity backend keeps of the person @throws {UnauthenticatedError} without a valid session */
  personalData(cookies: CookieStore): Promise<PersonalData>;
  /**
   * Ends one session of the person; the cookies are cleared when it is the current one.
   *
   * @throws {UnauthenticatedError} without a valid session
   * @throws {SessionNotFoundError} not a session of this person
   */
  endSession(id: string, cookies: CookieStore): Promise<void>;
  /**
   * Tries once more to end, at the identity backend, the sessions that ended here during an outage. Call it when the
   * process stops: only this process knows of them. Never fails.
   */
  confirmEndedSessions(): Promise<void>;
  /** @returns the address as it would be sent upstream and counted by limits, or undefined when it may not sign in (MAIL-05) */
  canonicalAddress(email: string): string | undefined;
  /** @throws {IdentityUnavailableError | IdentityRefusedError} nobody could sign in now */
  checkReadiness(): Promise<void>;
}
