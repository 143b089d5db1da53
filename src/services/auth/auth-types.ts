/** Attributes of a cookie. They can be passed to both SvelteKit and Express. */
export interface CookieAttributes {
  readonly path: string;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'lax' | 'strict' | 'none';
  readonly expires?: Date;
  /** Seconds. */
  readonly maxAge?: number;
}

/** The cookies of a request and its response. SvelteKit's `Cookies` can be used directly; Express needs an adapter. */
export interface CookieStore {
  get(name: string): string | undefined;
  set(name: string, value: string, attributes: CookieAttributes): void;
  delete(name: string, attributes: CookieAttributes): void;
}

/** The signed-in person. */
export interface SessionUser {
  /** The user id. */
  readonly id: string;
  /** The email address. */
  readonly email: string;
  /** The id of the session of this request. */
  readonly sessionId: string;
  /** When the link was used, in ISO 8601. */
  readonly authenticatedAt: string;
  /** When the session ends at the latest, in ISO 8601. An idle session ends earlier. */
  readonly expiresAt: string;
  /** How the person proved who they are. */
  readonly method: 'magic-url';
}

/** A session of the signed-in person. */
export interface SessionSummary {
  /** The id of the session. It grants no access. */
  readonly id: string;
  /** Whether this request belongs to the session. */
  readonly isCurrent: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Browser and operating system, or empty if unknown. */
  readonly device: string;
  /** The country of the network, or empty if unknown. */
  readonly country: string;
}

/** The link that was requested, as far as the person who asked for it may see it. */
export interface SignupResult {
  /**
   * The id of the link. It grants no access: the secret is only in the email.
   * @example "6740a1f2c3d4e5f60718"
   */
  readonly token: string;
  /**
   * Words that also appear in the email, or empty. An email with other words was requested by somebody else.
   * @example "Amber lantern"
   */
  readonly phrase: string;
}

/** The parameters of a link. */
export interface LinkToUse {
  readonly userId: string;
  readonly secret: string;
  readonly st?: string | undefined;
}

/** The device on which a link was requested, shown to a person who opens the link on another device. */
export interface AskingDevice {
  /** The words shown on the requesting device. */
  readonly phrase: string;
  /** `Firefox on Linux`, or empty when unknown. */
  readonly device: string;
  /** ISO 8601. */
  readonly askedAt: string;
}

/** A short code for a link, valid only in the browser that requested the link (LOGIN-15). */
export interface DeviceCode extends AskingDevice {
  /** `WDJB-MJHT` */
  readonly code: string;
}

/** When a person who opens a link must press a button first. */
export type LoginConfirm = 'never' | 'unbound' | 'always';

/** Data of an opened link besides user id and secret. */
export interface LoginOptions {
  /**
   * The signed state that signup added to the link. An altered state is refused. A link without a state is refused if
   * `signedLinksOnly` is set. Otherwise it is judged by what this process remembers about it, and by the identity
   * backend's limit of one hour.
   */
  readonly st?: string | undefined;
  /** The browser's user agent, for the person's list of sessions. */
  readonly userAgent?: string | undefined;
  /** Whether the person has pressed a button. Required if another account is signed in (LOGIN-11). */
  readonly isConfirmed?: boolean | undefined;
}

/** Data of a request for a link besides the address. */
export interface SignupOptions extends Pick<LoginOptions, 'userAgent'> {
  /** The language of the mail, such as `de`, if the identity backend has it; its default otherwise. */
  readonly language?: string | undefined;
}

/** The switch to another account. Using the link would end the session of the account that is signed in. */
export interface AccountSwitch {
  /** The masked address of the link's account: `a•••@example.org`. Absent if the link does not prove whose it is. */
  readonly account?: string | undefined;
}

/** What is known about a link before it is used. */
export interface LinkCheck {
  /** Whether this browser requested the link. */
  readonly isBound: boolean;
  /**
   * Whether the person must press a button first, either because of `loginConfirm` or because another account is signed
   * in.
   */
  readonly isConfirmNeeded: boolean;
  /**
   * The requesting device, if it is a different one and can be signed in with a code. Set only if `loginConfirm` shows
   * a page before the session starts.
   */
  readonly otherDevice?: AskingDevice | undefined;
  /** What the person should know before pressing the button. */
  readonly accountSwitch?: AccountSwitch | undefined;
}

/** A person's own data, as listed in docs/personal-data.md (ACCT-05). */
export interface PersonalData {
  readonly account: {
    readonly id: string;
    readonly email: string;
    readonly isEnabled: boolean;
    readonly isEmailVerified: boolean;
    /** Sign-in time of the current session; ISO 8601. */
    readonly authenticatedAt: string;
  };
  readonly sessions: readonly SessionSummary[];
}

/** The public interface of the authentication service. */
export interface Auth {
  /**
   * Sends a magic URL to the address.
   *
   * The result and its duration are the same for known, new, blocked and refused accounts (AUTH-02, AUTH-03).
   *
   * @param cookies if given, marks the requesting browser so that it is recognised later (LOGIN_CONFIRM=unbound)
   * @throws {InvalidIdentifierError} the address is malformed
   * @throws {ProblemError} `domain_not_allowed`: the domain is not on the allow-list
   * @throws {ProblemError} `identity_unavailable` or `identity_refused`: the identity backend failed
   */
  signupWithEmail(email: string, cookies?: CookieStore, options?: SignupOptions): Promise<SignupResult>;
  /**
   * Uses a link and sets the session cookie. An existing session in the cookies is replaced and ended. A session of
   * another account is replaced only with the person's confirmation, because the link may come from somebody else
   * (LOGIN-11).
   *
   * @throws {SignInFailedError} the link is invalid for any reason
   * @throws {ProblemError} `other_account_signed_in`: another account is signed in, and `isConfirmed` is not set; the
   *   link remains valid
   * @throws {ProblemError} `identity_unavailable`: the link remains valid
   * @throws {ProblemError} `identity_refused`: the API key is wrong or lacks a scope; the link remains valid
   */
  login(userId: string, secret: string, cookies: CookieStore, options?: LoginOptions): Promise<SessionUser>;
  /**
   * Checks a link by its form, its age and its browser, without using it. Calls the identity backend only for the name
   * of the link's account if another one is signed in.
   *
   * @throws {SignInFailedError} it is malformed, altered, too old, or has already been used here
   * @throws {ProblemError} `identity_unavailable` or `identity_refused`: the name cannot be determined
   */
  checkLink(userId: string, secret: string, cookies: CookieStore, options?: LoginOptions): Promise<LinkCheck>;
  /** Returns whether there is a cookie of a session that has not expired. Makes no call and grants no access. */
  isSignedIn(cookies: CookieStore): boolean;
  /**
   * @returns the pseudonym of a person in logs, a keyed hash of the user id or the address: the `actor` of sign-in
   *   events
   */
  pseudonymOf(subject: string): string;
  /**
   * @returns the phrase of the last request made by this browser, and whether a code can complete it; undefined if
   *   there is none
   */
  pendingLink(
    cookies: CookieStore,
  ): Promise<{ readonly phrase: string; readonly takesCode: boolean } | undefined>;
  /**
   * Creates a code for signing in on the device that requested a link. It is shown to a person who opens the link on
   * another device. The link remains valid until it is used on either device. A code created earlier becomes invalid.
   *
   * @throws {SignInFailedError} the link is invalid, was requested by this browser itself or by no browser, or its
   *   request is not known to this process
   */
  showCode(userId: string, secret: string, cookies: CookieStore, options?: LoginOptions): Promise<DeviceCode>;
  /**
   * Uses the link of a code, in the browser that requested the link. Five wrong codes end the request and its link.
   *
   * @throws the errors of `login`; {SignInFailedError} the code is wrong, or was entered in another browser
   */
  loginWithCode(
    code: string,
    cookies: CookieStore,
    options?: Pick<LoginOptions, 'userAgent'>,
  ): Promise<SessionUser>;
  /**
   * Ends the session of the cookies and clears them. A session that is over already is only cleared. If the identity
   * backend is unavailable, the session is refused here until the backend confirms its end.
   *
   * @param userId ignored; only the session of the cookies is ended
   * @throws {UnauthenticatedError} there is no session cookie
   */
  logout(userId: string | undefined, cookies: CookieStore): Promise<void>;
  /**
   * Deletes the account of the session, after all its sessions. After a failure, the same call continues where it
   * stopped.
   *
   * @param userId if given, must be the person of the session
   * @throws {UnauthenticatedError} there is no valid session, or the user id is another person's
   * @throws {ProblemError} `recent_sign_in_required`: the sign-in is older than `recentSignInSeconds`, ten minutes by
   *   default
   * @throws {ProblemError} `identity_unavailable` or `identity_refused`: a step failed: repeat the call
   */
  deleteAccount(userId: string | undefined, cookies: CookieStore): Promise<void>;
  /**
   * Returns the signed-in person. This call counts as use of the session. It sets the cookie again at most once a
   * minute, so call it before the response begins.
   *
   * @returns the person, or null without a valid session
   * @throws {ProblemError} `identity_unavailable`: it cannot be determined
   */
  currentUser(cookies: CookieStore): Promise<SessionUser | null>;
  /** @throws {UnauthenticatedError} without a valid session */
  listSessions(cookies: CookieStore): Promise<SessionSummary[]>;
  /**
   * @returns all data that the identity backend stores about the person
   * @throws {UnauthenticatedError} without a valid session
   */
  personalData(cookies: CookieStore): Promise<PersonalData>;
  /**
   * Ends one session of the person. Clears the cookies if it is the current one.
   *
   * @throws {UnauthenticatedError} without a valid session
   * @throws {ProblemError} `session_not_found`: the session is not one of this person
   */
  endSession(id: string, cookies: CookieStore): Promise<void>;
  /**
   * Retries to end, at the identity backend, the sessions that were ended here during an outage. Call it when the
   * process stops, because only this process knows them. Never fails.
   */
  confirmEndedSessions(): Promise<void>;
  /**
   * @returns the address as it is sent to the identity backend and counted by limits, or undefined if it may not sign
   *   in (MAIL-05)
   */
  canonicalAddress(email: string): string | undefined;
  /** @throws {ProblemError} `identity_unavailable` or `identity_refused`: sign-in is currently impossible */
  checkReadiness(): Promise<void>;
}
