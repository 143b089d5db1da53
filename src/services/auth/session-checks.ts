import { LRUCache } from 'lru-cache';
import type { AppwriteGateway } from '../../gateways/appwrite/appwrite-gateway.js';
import type { Email } from '../../identifiers/email.js';
import { readAddress } from './address/canonical-address.js';
import type { DomainRule } from './address/domain-rule.js';
import type { SessionTicket } from './session-cookie.js';

const MAX_ENTRIES = 10_000;

interface Check {
  readonly userId: string;
  readonly email: Email;
  /** Milliseconds. */
  readonly at: number;
}

/**
 * Asks the identity backend whose session a ticket belongs to, and believes a good answer for some seconds (SESS-07).
 * A bad answer is never kept, and no answer is an error: there is no third way in (SESS-06).
 *
 * Memory: at most 10,000 checks, by session id, none for longer than it is believed. A check holds an address: what nobody
 * asks for again goes by itself (ACCT-04).
 */
export class SessionChecks {
  readonly #checks: LRUCache<string, Check>;

  constructor(
    private readonly identity: Pick<AppwriteGateway, 'getAccount'>,
    private readonly domains: DomainRule,
    private readonly believedMs: number,
    private readonly clock: () => Date,
  ) {
    // Its timers keep no process alive.
    this.#checks = new LRUCache({ max: MAX_ENTRIES, ttl: Math.max(1, believedMs), ttlAutopurge: true });
  }

  /**
   * @returns the address of the person, or `undefined` when the session opens nothing
   * @throws {IdentityUnavailableError | IdentityRefusedError} it cannot be known
   */
  async addressOf(ticket: SessionTicket): Promise<Email | undefined> {
    const known = this.#checks.get(ticket.sessionId);
    const now = this.clock().getTime();
    if (known !== undefined && known.userId === ticket.userId && now - known.at < this.believedMs) {
      return known.email;
    }
    this.#checks.delete(ticket.sessionId);
    const email = await this.#ask(ticket);
    if (email !== undefined) this.#checks.set(ticket.sessionId, { userId: ticket.userId, email, at: now });
    return email;
  }

  forget(sessionId: string): void {
    this.#checks.delete(sessionId);
  }

  forgetUser(userId: string): void {
    for (const [sessionId, check] of this.#checks.entries()) {
      if (check.userId === userId) this.#checks.delete(sessionId);
    }
  }

  /** The allow-list is asked too: a domain that was removed signs nobody in any longer (MAIL-08). */
  async #ask(ticket: SessionTicket): Promise<Email | undefined> {
    const lookup = await this.identity.getAccount(ticket.secret);
    if (lookup.kind !== 'active') return undefined;
    const { account } = lookup;
    if (!account.isEnabled || account.id !== ticket.userId) return undefined;
    const email = readAddress(account.email);
    return email !== undefined && this.domains.admits(email) ? email : undefined;
  }
}
