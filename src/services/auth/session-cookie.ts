import { z } from 'zod';
import type { CookieAttributes, CookieStore } from './auth-types.js';
import { seal, unseal } from './sealed-text.js';

/** What a session cookie holds. Nobody but this service can read or make one. */
export interface SessionTicket {
  readonly sessionId: string;
  readonly userId: string;
  /** Appwrite's bearer credential for the person's whole account; sealed, so that the cookie's holder has not got it. */
  readonly secret: string;
  /** When the link was used; milliseconds. */
  readonly authenticatedAt: number;
  /** When the session ends here; milliseconds. */
  readonly expiresAt: number;
}

const Ticket = z.object({
  sessionId: z.string(),
  userId: z.string(),
  secret: z.string(),
  authenticatedAt: z.number(),
  expiresAt: z.number(),
});

/** Browsers drop a cookie above 4 KB without a word; ours has some 800 bytes. */
const MAX_LENGTH = 3_900;

/** Reads, sets and clears the session cookie (COOK-01, COOK-03). */
export class SessionCookie {
  constructor(
    private readonly key: Buffer,
    readonly name: string,
    private readonly isSecure: boolean,
    private readonly clock: () => Date,
  ) {}

  /** @returns the ticket, or `undefined` without a cookie of ours that still has life */
  read(cookies: CookieStore): SessionTicket | undefined {
    const value = cookies.get(this.name);
    if (value === undefined || value.length > MAX_LENGTH) return undefined;
    const text = unseal(this.key, this.name, value);
    const ticket = text === undefined ? undefined : Ticket.safeParse(JSON.parse(text)).data;
    return ticket !== undefined && ticket.expiresAt > this.clock().getTime() ? ticket : undefined;
  }

  write(cookies: CookieStore, ticket: SessionTicket): void {
    const lifetimeMs = ticket.expiresAt - this.clock().getTime();
    cookies.set(this.name, seal(this.key, this.name, JSON.stringify(ticket)), {
      ...this.#attributes(),
      expires: new Date(ticket.expiresAt),
      maxAge: Math.max(0, Math.floor(lifetimeMs / 1000)),
    });
  }

  /** With the attributes it was set with: a browser ignores the deletion of a `__Host-` cookie without `Secure`. */
  clear(cookies: CookieStore): void {
    cookies.delete(this.name, this.#attributes());
  }

  /** Lax: a Strict cookie is not sent on the redirect that follows a click in a mail client (D3, COOK-02). */
  #attributes(): CookieAttributes {
    return { path: '/', httpOnly: true, secure: this.isSecure, sameSite: 'lax' };
  }
}
