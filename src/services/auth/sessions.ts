import { CrfError } from '../../domain/errors/crf-error.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { UnauthenticatedError } from '../../domain/errors/access-errors.js';
import type { IdentitySession, OpenedSession } from '../../gateways/appwrite/identity-types.js';
import type { Email } from '../../domain/identifiers/email.js';
import type { AuthParts } from './auth-parts.js';
import type { CookieStore, PersonalData, SessionSummary, SessionUser } from './auth-types.js';
import type { EndedSessions } from './ended-sessions.js';
import type { SessionChecks } from './session-checks.js';
import type { SessionCookie, SessionTicket } from './browser-cookies.js';

/** Starts, checks, lists and ends sessions. */
export class Sessions {
  constructor(
    private readonly parts: Pick<AuthParts, 'identity' | 'settings' | 'journal'>,
    private readonly cookie: SessionCookie,
    private readonly checks: SessionChecks,
    private readonly ended: EndedSessions,
  ) {}

  /** Sets the cookie of a new session and ends the previous session in the cookies, if any (SESS-01). */
  async start(session: OpenedSession, email: Email, cookies: CookieStore): Promise<SessionUser> {
    const { cookie } = this;
    const { settings, journal } = this.parts;
    const previous = cookie.readAny(cookies);
    const now = settings.clock().getTime();
    const ticket: SessionTicket = {
      sessionId: session.id,
      userId: session.userId,
      secret: session.secret,
      authenticatedAt: now,
      expiresAt: Math.min(now + settings.sessionMaxAgeSeconds * 1000, timeOf(session.expire)),
      seenAt: now,
    };
    cookie.write(cookies, ticket);
    journal.write('session.created', ticket.userId);
    if (previous !== undefined && previous.sessionId !== ticket.sessionId) await this.#end(previous);
    return toUser(ticket, email);
  }

  /** @throws see `Auth.currentUser` */
  async currentUser(cookies: CookieStore): Promise<SessionUser | null> {
    const ticket = await this.ticketOf(cookies);
    if (ticket === undefined) return null;
    const email = await this.checks.addressOf(ticket);
    if (this.ended.pendingCount > 0) void this.ended.confirmOne(); // it never rejects
    // Checked again, because the session may have ended while the identity backend was asked.
    if (email === undefined || (await this.ended.has(ticket.sessionId))) return null;
    this.cookie.touch(cookies, ticket);
    return toUser(ticket, email);
  }

  /**
   * Returns whether there is an unexpired session cookie. Does not check whether the session has ended, because this
   * only decides how a page looks.
   */
  hasCookie(cookies: CookieStore): boolean {
    return this.cookie.read(cookies) !== undefined;
  }

  /** @returns the content of the cookie, or `undefined`, also for a session that has ended here */
  async ticketOf(cookies: CookieStore): Promise<SessionTicket | undefined> {
    const ticket = this.cookie.read(cookies);
    return ticket === undefined || (await this.ended.has(ticket.sessionId)) ? undefined : ticket;
  }

  /** @throws see `Auth.logout` */
  async logout(cookies: CookieStore): Promise<void> {
    if (!this.cookie.isIn(cookies)) throw new UnauthenticatedError('session');
    const ticket = this.cookie.readAny(cookies);
    try {
      if (ticket !== undefined && !(await this.ended.isConfirmed(ticket.sessionId))) await this.#end(ticket);
    } finally {
      this.cookie.clear(cookies);
    }
  }

  /** @throws see `Auth.listSessions` */
  async list(cookies: CookieStore): Promise<SessionSummary[]> {
    const ticket = await this.#validTicket(cookies);
    const sessions = await this.parts.identity.listSessions(ticket.secret);
    if (sessions === undefined) throw new UnauthenticatedError('session');
    return sessions.map((session) => this.#toSummary(session, ticket));
  }

  /** @throws see `Auth.personalData` */
  async personalData(cookies: CookieStore): Promise<PersonalData> {
    const sessions = await this.list(cookies);
    const ticket = await this.#validTicket(cookies);
    // Requested again, because a cached check contains only the address.
    const lookup = await this.parts.identity.getAccount(ticket.secret);
    if (lookup.kind !== 'active') throw new UnauthenticatedError('session');
    const { id, email, isEnabled, isEmailVerified } = lookup.account;
    const authenticatedAt = new Date(ticket.authenticatedAt).toISOString();
    return { account: { id, email, isEnabled, isEmailVerified, authenticatedAt }, sessions };
  }

  /** @throws see `Auth.endSession` */
  async end(sessionId: string, cookies: CookieStore): Promise<void> {
    const { checks, ended } = this;
    const { identity, journal } = this.parts;
    const ticket = await this.#validTicket(cookies);
    if (sessionId === ticket.sessionId) return this.logout(cookies);
    // The identity backend allows an address few deletions, unless they carry the API key. All people share our address.
    const own = await identity.listSessions(ticket.secret);
    if (own === undefined) throw new UnauthenticatedError('session');
    if (!own.some(({ id }) => id === sessionId)) throw new ProblemError('session_not_found');
    await identity.deleteUserSession(ticket.userId, sessionId);
    await ended.add(sessionId, ticket.userId, true);
    await checks.forget(ticket.userId);
    journal.write('session.ended', ticket.userId, 'revoked');
  }

  /** @throws never: see `Auth.confirmEndedSessions` */
  confirmEnded(): Promise<void> {
    return this.ended.confirmAll();
  }

  /** Discards all cached checks of a person, because all sessions of the person have been ended elsewhere. */
  forgetChecks(userId: string): Promise<void> {
    return this.checks.forget(userId);
  }

  /** Refuses the session of this browser and clears its cookie, after the person's account has been deleted. */
  async forgetPerson(ticket: SessionTicket, cookies: CookieStore): Promise<void> {
    await this.ended.add(ticket.sessionId, ticket.userId, true);
    await this.forgetChecks(ticket.userId);
    this.cookie.clear(cookies);
  }

  async #validTicket(cookies: CookieStore): Promise<SessionTicket> {
    const ticket = await this.ticketOf(cookies);
    if (ticket === undefined || (await this.currentUser(cookies)) === null)
      throw new UnauthenticatedError('session');
    return ticket;
  }

  /**
   * Refuses the session immediately, and ends it at the identity backend now or when the backend is available again
   * (SESS-03).
   */
  async #end(ticket: SessionTicket): Promise<void> {
    const { checks, ended } = this;
    const { identity, journal } = this.parts;
    await checks.forget(ticket.userId);
    await ended.add(ticket.sessionId, ticket.userId, false);
    try {
      // With the API key, which also works for a blocked person.
      await identity.deleteUserSession(ticket.userId, ticket.sessionId);
      await ended.add(ticket.sessionId, ticket.userId, true);
      journal.write('session.ended', ticket.userId);
    } catch (error) {
      if (!(error instanceof CrfError)) throw error;
      journal.write('session.end-pending', ticket.userId, error.code);
    }
  }

  #toSummary(session: IdentitySession, ticket: SessionTicket): SessionSummary {
    const { sessionMaxAgeSeconds } = this.parts.settings;
    const createdAt = timeOf(session.createdAt, 0);
    return {
      id: session.id,
      isCurrent: session.id === ticket.sessionId,
      createdAt: new Date(createdAt).toISOString(),
      expiresAt: new Date(
        Math.min(timeOf(session.expire), createdAt + sessionMaxAgeSeconds * 1000),
      ).toISOString(),
      device: [session.clientName, session.osName].filter((part) => part !== '').join(' on '),
      country: session.countryName === 'Unknown' ? '' : session.countryName,
    };
  }
}

function toUser(ticket: SessionTicket, email: Email): SessionUser {
  return {
    id: ticket.userId,
    email,
    sessionId: ticket.sessionId,
    authenticatedAt: new Date(ticket.authenticatedAt).toISOString(),
    expiresAt: new Date(ticket.expiresAt).toISOString(),
    method: 'magic-url',
  };
}

/** Parses a time. Some versions of Appwrite omit the `T` or the offset. @see docs/protocol/appwrite.md 5.7 (issue) */
function timeOf(text: string, otherwise = Number.POSITIVE_INFINITY): number {
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? otherwise : time;
}
