import { LRUCache } from 'lru-cache';
import { CrfError } from '../../errors/crf-error.js';
import { RecentSignInRequiredError } from '../../errors/recent-sign-in-required-error.js';
import { UnauthenticatedError } from '../../errors/unauthenticated-error.js';
import type { AppwriteGateway } from '../../gateways/appwrite/appwrite-gateway.js';
import type { AuthJournal } from './auth-event.js';
import type { AuthSettings } from './auth-settings.js';
import type { CookieStore } from './auth-types.js';
import type { SessionTicket } from './session-cookie.js';
import type { Sessions } from './sessions.js';

/** What deleting an account works with. */
export interface AccountDeletionParts {
  readonly identity: Pick<AppwriteGateway, 'deleteUserSessions' | 'deleteUser'>;
  readonly settings: AuthSettings;
  readonly sessions: Sessions;
  readonly journal: AuthJournal;
}

/** Deletes accounts: sessions first, then the account, then the cookies (ACCT-02). Every step can be repeated. */
export class AccountDeletion {
  /** Sessions that were ended by a deletion that then broke off: their cookie still proves who may finish it. */
  readonly #begun = new LRUCache<string, true>({ max: 1_000 });

  constructor(private readonly parts: AccountDeletionParts) {}

  /** @throws see `Auth.deleteAccount` */
  async run(userId: string | undefined, cookies: CookieStore): Promise<void> {
    const { identity, sessions, journal } = this.parts;
    const ticket = await this.#provenTicket(cookies);
    if (userId !== undefined && userId !== ticket.userId) throw new UnauthenticatedError();
    if (this.#ageMsOf(ticket) > this.parts.settings.recentSignInSeconds * 1000) {
      throw new RecentSignInRequiredError();
    }
    try {
      this.#begun.set(ticket.sessionId, true);
      await identity.deleteUserSessions(ticket.userId);
      sessions.forgetChecks(ticket.userId);
      journal.write('account.sessions-ended', ticket.userId);
      await identity.deleteUser(ticket.userId);
    } catch (error) {
      if (error instanceof CrfError) journal.write('account.deletion-failed', ticket.userId, error.code);
      throw error;
    }
    this.#begun.delete(ticket.sessionId);
    sessions.forgetPerson(ticket, cookies);
    journal.write('account.deleted', ticket.userId);
  }

  async #provenTicket(cookies: CookieStore): Promise<SessionTicket> {
    const { sessions } = this.parts;
    const ticket = sessions.ticketOf(cookies);
    if (ticket === undefined) throw new UnauthenticatedError();
    if (this.#begun.has(ticket.sessionId)) return ticket;
    if ((await sessions.currentUser(cookies)) === null) throw new UnauthenticatedError();
    return ticket;
  }

  #ageMsOf(ticket: SessionTicket): number {
    return this.parts.settings.clock().getTime() - ticket.authenticatedAt;
  }
}
