import { z } from 'zod';
import type { CookieAttributes, CookieStore } from './auth-types.js';
import { seal, unseal } from '../../crypto/sealed-text.js';

/** What a session cookie holds. Nobody but this service can read or make one. */
export interface SessionTicket {
  readonly sessionId: string;
  readonly userId: string;
  /** Appwrite's bearer credential for the person's whole account; sealed, so that the cookie's holder has not got it. */
  readonly secret: string;
  /** When the link was used; milliseconds. */
  readonly authenticatedAt: number;
  /** When the session ends here at the latest; milliseconds. */
  readonly expiresAt: number;
  /** When it was last used, to within a minute; milliseconds. */
  readonly seenAt: number;
}

const Ticket = z.object({
  sessionId: z.string(),
  userId: z.string(),
  secret: z.string(),
  authenticatedAt: z.number(),
  expiresAt: z.number(),
  seenAt: z.number(),
});

/** Browsers drop a cookie above 4 KB without a word; ours has some 800 bytes. */
const MAX_LENGTH = 3_900;

/** A cookie is written anew at most once a minute, so the time it was last used is known to within one. */
const TOUCH_INTERVAL_MS = 60_000;

/** What a session cookie is made with. */
export interface SessionCookieOptions {
  readonly key: Buffer;
  readonly name: string;
  readonly isSecure: boolean;
  /** Idle timeout of a session. */
  readonly idleMs: number;
  readonly clock: () => Date;
}

/** Reads, sets, prolongs and clears the session cookie (COOK-01, COOK-03, SESS-02). */
export class SessionCookie {
  constructor(private readonly options: SessionCookieOptions) {}

  /** @returns the ticket, or `undefined` without a cookie of ours that is neither over nor was left unused */
  read(cookies: CookieStore): SessionTicket | undefined {
    const ticket = this.readAny(cookies);
    return ticket !== undefined && this.#endOf(ticket) > this.#now() ? ticket : undefined;
  }

  /** @returns the ticket, also when it is over: a copy of the cookie that was used since may still be good */
  readAny(cookies: CookieStore): SessionTicket | undefined {
    const { key, name } = this.options;
    const value = cookies.get(name);
    if (value === undefined || value.length > MAX_LENGTH) return undefined;
    const text = unseal(key, name, value);
    return text === undefined ? undefined : Ticket.safeParse(JSON.parse(text)).data;
  }

  write(cookies: CookieStore, ticket: SessionTicket): void {
    const { key, name } = this.options;
    const end = this.#endOf(ticket);
    cookies.set(name, seal(key, name, JSON.stringify(ticket)), {
      ...this.#attributes(),
      expires: new Date(end),
      maxAge: Math.max(0, Math.floor((end - this.#now()) / 1000)),
    });
  }

  /** The session is in use: its idle timeout starts again. */
  touch(cookies: CookieStore, ticket: SessionTicket): void {
    const now = this.#now();
    if (now - ticket.seenAt >= TOUCH_INTERVAL_MS) this.write(cookies, { ...ticket, seenAt: now });
  }

  /** With the attributes it was set with: a browser ignores the deletion of a `__Host-` cookie without `Secure`. */
  clear(cookies: CookieStore): void {
    cookies.delete(this.options.name, this.#attributes());
  }

  /** When the ticket is over if nobody uses it again. */
  #endOf({ expiresAt, seenAt }: SessionTicket): number {
    return Math.min(expiresAt, seenAt + this.options.idleMs);
  }

  #now(): number {
    return this.options.clock().getTime();
  }

  /** Lax: a Strict cookie is not sent on the redirect that follows a click in a mail client (D3, COOK-02). */
  #attributes(): CookieAttributes {
    return { path: '/', httpOnly: true, secure: this.options.isSecure, sameSite: 'lax' };
  }
}
