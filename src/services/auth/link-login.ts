import { CrfError } from '../../domain/errors/crf-error.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { SignInFailedError } from '../../domain/errors/access-errors.js';
import type { IdentityAccount, OpenedSession } from '../../gateways/appwrite/identity-types.js';
import type { Email } from '../../domain/identifiers/email.js';
import { readAddress, maskedAddress } from './address/canonical-address.js';
import { isSameBytes } from './auth-keys.js';
import type { AuthParts } from './auth-parts.js';
import type { AccountSwitch, CookieStore, LinkCheck, LoginOptions, SessionUser } from './auth-types.js';
import { isStateOf, readLinkState, type LinkState } from './link-state.js';
import { validateMagicUrlLogin, type MagicUrlLogin } from './magic-url-login.js';
import type { Sessions } from './sessions.js';

interface Link extends MagicUrlLogin {
  readonly state: LinkState | undefined;
}

/**
 * Turns a link into a session, once. The answer is the same for all errors of a link (LOGIN-08).
 *
 * Sessions are opened only in this way, so none is older than the first proof of its address (LOGIN-14). A password
 * that somebody registered earlier at the identity backend for another person's address grants no access here. It is
 * not removed: sessions could be ended there in one step, but passwords, identities and factors could not.
 */
export class LinkLogin {
  constructor(
    private readonly parts: AuthParts,
    private readonly sessions: Sessions,
  ) {}

  /** @throws see `Auth.checkLink` */
  async check(
    userId: unknown,
    secret: unknown,
    cookies: CookieStore,
    options: LoginOptions = {},
  ): Promise<LinkCheck> {
    const { binding, links, requests, settings } = this.parts;
    const link = await this.#goodLink(userId, secret, options.st);
    if (await links.isUsed(link.userId, link.secret)) throw this.#failure(link, 'used');
    const asked = link.state?.binding;
    const own = binding.digestOf(cookies);
    const isBound = asked !== undefined && own !== undefined && isSameBytes(asked, own);
    const { loginConfirm } = settings;
    const request = loginConfirm === 'never' || isBound ? undefined : await requests.find(asked);
    const accountSwitch = await this.#accountSwitch(link, cookies);
    const isUnsure = loginConfirm === 'always' || (loginConfirm === 'unbound' && !isBound);
    return {
      isBound,
      isConfirmNeeded: isUnsure || accountSwitch !== undefined,
      ...(request && {
        otherDevice: {
          phrase: request.phrase,
          device: request.device,
          askedAt: new Date(request.askedAt).toISOString(),
        },
      }),
      ...(accountSwitch && { accountSwitch }),
    };
  }

  /**
   * @returns the digest of the browser that requested a valid link; `undefined` if it is this browser or if no browser
   *   requested it
   * @throws {SignInFailedError} the link is invalid for any reason
   */
  async askingBrowser(
    userId: unknown,
    secret: unknown,
    cookies: CookieStore,
    options: LoginOptions = {},
  ): Promise<Buffer | undefined> {
    const { isBound } = await this.check(userId, secret, cookies, options);
    return isBound ? undefined : (await this.#goodLink(userId, secret, options.st)).state?.binding;
  }

  /** @throws see `Auth.login` */
  async use(
    userId: unknown,
    secret: unknown,
    cookies: CookieStore,
    options: LoginOptions = {},
  ): Promise<SessionUser> {
    const { binding, links, journal } = this.parts;
    const link = await this.#goodLink(userId, secret, options.st);
    if (options.isConfirmed !== true && (await this.#isOtherAccount(link, cookies)))
      throw new ProblemError('other_account_signed_in');
    const opened = await this.#openSession(link, options.userAgent);

    const user = await this.sessions.start(opened.session, opened.email, cookies);
    binding.clear(cookies);
    await links.rememberSignIn(user.id, Date.parse(user.authenticatedAt));
    journal.write('link.used', user.id);
    return user;
  }

  /** Checks a link as far as possible without the identity backend: its form, its state and its age. */
  async #goodLink(userId: unknown, secret: unknown, st: unknown): Promise<Link> {
    const link = { ...this.#readParts(userId, secret), state: this.#readState(st) };
    const issuedAt = link.state?.issuedAt ?? (await this.parts.links.issueOf(link.secret));
    const { settings, links } = this.parts;
    const now = settings.clock().getTime();
    if (issuedAt !== undefined) {
      if (now - issuedAt > settings.linkMaxAgeSeconds * 1000) throw this.#failure(link, 'expired');
      const lastSignIn = await links.lastSignInOf(link.userId);
      if (lastSignIn !== undefined && issuedAt <= lastSignIn) throw this.#failure(link, 'superseded');
    }
    return link;
  }

  /**
   * Decides from the ticket only: an unnecessary question does no harm, and the button must not depend on the identity
   * backend.
   */
  async #isOtherAccount(link: Link, cookies: CookieStore): Promise<boolean> {
    const ticket = await this.sessions.ticketOf(cookies);
    return ticket !== undefined && ticket.userId !== link.userId;
  }

  /**
   * Names the account only to the holder of a link that this service signed for its address, so that user ids cannot be
   * probed.
   */
  async #accountSwitch(link: Link, cookies: CookieStore): Promise<AccountSwitch | undefined> {
    if (!(await this.#isOtherAccount(link, cookies))) return undefined;
    if (link.state === undefined) return {};
    const account = await this.parts.identity.getUser(link.userId);
    const email = account && readAddress(account.email);
    if (email === undefined || !isStateOf(this.parts.keys.link, link.state, email))
      throw this.#failure(link, 'foreign-state');
    return { account: maskedAddress(email) };
  }

  #readParts(userId: unknown, secret: unknown): MagicUrlLogin {
    try {
      return validateMagicUrlLogin(userId, secret);
    } catch (error) {
      throw error instanceof CrfError ? this.#failure(undefined, 'malformed') : error;
    }
  }

  #readState(st: unknown): LinkState | undefined {
    const { settings, keys } = this.parts;
    if (st === undefined) {
      if (settings.signedLinksOnly) throw this.#failure(undefined, 'unsigned');
      return undefined;
    }
    const state = typeof st === 'string' ? readLinkState(keys.link, st) : undefined;
    if (state === undefined) throw this.#failure(undefined, 'altered');
    return state;
  }

  /**
   * Opens one session per link, however many callers use it (LOGIN-05). After an outage the link remains valid
   * (LOGIN-09).
   */
  async #openSession(
    link: Link,
    userAgent: string | undefined,
  ): Promise<{ session: OpenedSession; email: Email }> {
    const { identity, links } = this.parts;
    const reservation = await links.reserve(link.userId, link.secret);
    if (reservation === undefined) throw this.#failure(link, 'used');
    let session = reservation.session;
    try {
      session ??= await identity.createSession(link.userId, link.secret, userAgent);
      const email = await this.#personOf(session, link);
      await reservation.use();
      return { session, email };
    } catch (error) {
      if (error instanceof SignInFailedError && session !== undefined) {
        await reservation.use();
        await this.#abandon(session);
      } else {
        await reservation.release(session);
      }
      if (error instanceof SignInFailedError) throw this.#failure(link, 'refused', error);
      throw error;
    }
  }

  /**
   * Checks the person before setting the cookie: Appwrite also accepts links of people who are blocked or need a second
   * factor.
   */
  async #personOf(session: OpenedSession, link: Link): Promise<Email> {
    const lookup = await this.parts.identity.getAccount(session.secret);
    if (lookup.kind !== 'active') throw this.#failure(link, lookup.kind);
    const email = this.#allowedAddress(lookup.account, link);
    const { account } = lookup;
    if (!account.isEnabled || account.id !== session.userId || account.id !== link.userId)
      throw this.#failure(link, 'not-the-person');
    if (link.state !== undefined && !isStateOf(this.parts.keys.link, link.state, email))
      throw this.#failure(link, 'foreign-state');
    return email;
  }

  /** Checks the allow-list again, because it may have changed since the mail was sent (MAIL-08). */
  #allowedAddress({ email }: IdentityAccount, link: Link): Email {
    const address = readAddress(email);
    if (address === undefined || !this.parts.domains.admits(address)) throw this.#failure(link, 'domain');
    return address;
  }

  /**
   * Ends a session with the service's own rights, because a blocked person cannot end it. Errors are ignored: its
   * secret has not been passed to anyone.
   */
  async #abandon(session: OpenedSession): Promise<void> {
    await this.parts.identity.deleteUserSession(session.userId, session.id).catch(() => undefined);
  }

  #failure(link: MagicUrlLogin | undefined, reason: string, cause?: SignInFailedError): SignInFailedError {
    if (cause !== undefined && journaled.has(cause)) return cause;
    this.parts.journal.write('link.failed', link?.userId, reason);
    const failure = new SignInFailedError(cause === undefined ? {} : { cause: cause.cause });
    journaled.add(failure);
    return failure;
  }
}

/** Failures that are already in the journal, so that a failed link causes only one event. */
const journaled = new WeakSet<SignInFailedError>();
