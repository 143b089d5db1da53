import * as z from 'zod';
import type { AppwriteGateway } from '../../gateways/appwrite/appwrite-gateway.js';
import { isEmail, type Email } from '../../domain/identifiers/email.js';
import { readAddress } from './address/canonical-address.js';
import type { DomainRule } from './address/domain-rule.js';
import type { KeyValueStore } from './key-value-store.js';
import type { SessionTicket } from './browser-cookies.js';

/** The maximum number of sessions per person at the identity backend. */
const MAX_SESSIONS = 10;

/** The checks of one person by session: the address, and the time in milliseconds. */
const Checks = z.record(z.string(), z.object({ email: z.string(), at: z.number() }));
type Checks = z.infer<typeof Checks>;

/**
 * Asks the identity backend for the person of a ticket, and caches a positive answer for some seconds (SESS-07). A
 * negative answer is never cached, and no answer is an error, so there is no other way in (SESS-06). While a shared
 * store is unavailable, nothing is cached and the identity backend is asked each time.
 *
 * Checks are cached by person and never kept longer than they are valid, because they contain an address (ACCT-04).
 */
export class SessionChecks {
  constructor(
    private readonly identity: Pick<AppwriteGateway, 'getAccount'>,
    private readonly domains: DomainRule,
    private readonly store: KeyValueStore,
    private readonly believedMs: number,
    private readonly clock: () => Date,
  ) {}

  /**
   * @returns the address of the person, or `undefined` if the session is not valid
   * @throws {ProblemError} `identity_unavailable` or `identity_refused`: it cannot be determined
   */
  async addressOf(ticket: SessionTicket): Promise<Email | undefined> {
    const known = (await this.#believed(ticket.userId))[ticket.sessionId];
    if (known !== undefined && isEmail(known.email)) return known.email;
    const now = this.clock().getTime();
    const email = await this.#ask(ticket);
    if (email !== undefined) await this.#keep(ticket, email, now);
    return email;
  }

  /** Discards all cached checks of a person. Never fails. */
  forget(userId: string): Promise<void> {
    return this.store.discard(userId);
  }

  async #believed(userId: string): Promise<Checks> {
    if (this.believedMs === 0) return {};
    const text = await this.store.get(userId).catch(() => undefined);
    if (text === undefined) return {};
    const now = this.clock().getTime();
    const checks = Object.entries(Checks.parse(JSON.parse(text)));
    return Object.fromEntries(checks.filter(([, { at }]) => now - at < this.believedMs));
  }

  /** Caches a check. Of concurrent checks one may be lost, and is then repeated. */
  async #keep({ userId, sessionId }: SessionTicket, email: Email, at: number): Promise<void> {
    if (this.believedMs === 0) return;
    const others = Object.entries(await this.#believed(userId)).slice(1 - MAX_SESSIONS);
    const checks = Object.fromEntries([...others, [sessionId, { email, at }]]);
    await this.store.set(userId, JSON.stringify(checks), this.believedMs).catch(() => undefined);
  }

  /**
   * Asks the identity backend, and checks the allow-list: a domain that has been removed can no longer sign in
   * (MAIL-08).
   */
  async #ask(ticket: SessionTicket): Promise<Email | undefined> {
    const lookup = await this.identity.getAccount(ticket.secret);
    if (lookup.kind !== 'active') return undefined;
    const { account } = lookup;
    if (!account.isEnabled || account.id !== ticket.userId) return undefined;
    const email = readAddress(account.email);
    return email !== undefined && this.domains.admits(email) ? email : undefined;
  }
}
