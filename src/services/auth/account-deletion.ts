import { CrfError } from '../../domain/errors/crf-error.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { UnauthenticatedError } from '../../domain/errors/access-errors.js';
import type { AuthParts } from './auth-parts.js';
import type { KeyValueStore } from './key-value-store.js';
import type { CookieStore } from './auth-types.js';
import type { SessionTicket } from './browser-cookies.js';
import type { Sessions } from './sessions.js';

/** Deletes accounts: first the sessions, then the account, then the cookies (ACCT-02). Every step can be repeated. */
export class AccountDeletion {
  /**
   * @param begun the sessions whose account deletion began but did not finish, with the address for the notice. Their
   *   cookie allows the person to finish the deletion for as long as a sign-in counts as recent.
   */
  constructor(
    private readonly parts: Pick<AuthParts, 'identity' | 'settings' | 'journal'>,
    private readonly sessions: Sessions,
    private readonly begun: KeyValueStore,
  ) {}

  /** @throws see `Auth.deleteAccount` */
  async run(userId: string | undefined, cookies: CookieStore): Promise<void> {
    const { sessions, begun } = this;
    const { identity, settings, journal } = this.parts;
    const { ticket, email } = await this.#proven(cookies);
    if (userId !== undefined && userId !== ticket.userId) throw new UnauthenticatedError();
    if (this.#ageMsOf(ticket) >= settings.recentSignInSeconds * 1000)
      throw new ProblemError('recent_sign_in_required');
    try {
      await begun.set(ticket.sessionId, email, settings.recentSignInSeconds * 1000);
      await identity.deleteUserSessions(ticket.userId);
      await sessions.forgetChecks(ticket.userId);
      journal.write('account.sessions-ended', ticket.userId);
      await identity.deleteUser(ticket.userId);
    } catch (error) {
      if (error instanceof CrfError) journal.write('account.deletion-failed', ticket.userId, error.code);
      throw error;
    }
    await begun.discard(ticket.sessionId);
    await sessions.forgetPerson(ticket, cookies);
    journal.write('account.deleted', ticket.userId);
    void this.#notify(ticket.userId, email);
  }

  /** Notifies the person. Never rejects: the account has been deleted, whether or not the notice can be sent. */
  async #notify(userId: string, email: string): Promise<void> {
    const { settings, journal } = this.parts;
    try {
      await settings.onAccountDeleted?.({ userId, email, deletedAt: settings.clock().toISOString() });
    } catch {
      journal.write('account.notice-failed', userId);
    }
  }

  async #proven(cookies: CookieStore): Promise<{ ticket: SessionTicket; email: string }> {
    const { sessions, begun } = this;
    const ticket = await sessions.ticketOf(cookies);
    if (ticket === undefined) throw new UnauthenticatedError();
    const email = (await begun.get(ticket.sessionId)) ?? (await sessions.currentUser(cookies))?.email;
    if (email === undefined) throw new UnauthenticatedError();
    return { ticket, email };
  }

  #ageMsOf(ticket: SessionTicket): number {
    return this.parts.settings.clock().getTime() - ticket.authenticatedAt;
  }
}
