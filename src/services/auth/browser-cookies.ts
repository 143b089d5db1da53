import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { CookieAttributes, CookieStore } from './auth-types.js';
import { seal, unseal } from '../../domain/crypto/sealed-text.js';

/** The content of a session cookie. Only this service can read or create one. */
const Ticket = z.object({
  sessionId: z.string(),
  userId: z.string(),
  /**
   * Appwrite's bearer credential for the person's whole account. It is encrypted, so that it is not disclosed to the
   * holder of the cookie.
   */
  secret: z.string(),
  /** When the link was used; milliseconds. */
  authenticatedAt: z.number(),
  /** When the session ends at the latest, in this service; milliseconds. */
  expiresAt: z.number(),
  /** When it was last used, accurate to a minute; milliseconds. */
  seenAt: z.number(),
});
export type SessionTicket = Readonly<z.infer<typeof Ticket>>;

/**
 * Returns the attributes of a cookie. It is Lax because browsers do not send a Strict cookie on the redirect that follows
 * a click in a mail client (D3, COOK-02).
 */
function attributesOf(isSecure: boolean): CookieAttributes {
  return { path: '/', httpOnly: true, secure: isSecure, sameSite: 'lax' };
}

/** Browsers silently drop cookies above 4 KB. This one has about 800 bytes. */
const MAX_LENGTH = 3_900;

/** A cookie is written again at most once a minute, so its last use is known to within a minute. */
const TOUCH_INTERVAL_MS = 60_000;

/** Options of a session cookie. */
export interface SessionCookieOptions {
  readonly key: Buffer;
  readonly name: string;
  readonly isSecure: boolean;
  /** Idle timeout of a session. */
  readonly idleMs: number;
  readonly clock: () => Date;
}

/** Reads, sets, extends and clears the session cookie (COOK-01, COOK-03, SESS-02). */
export class SessionCookie {
  constructor(private readonly options: SessionCookieOptions) {}

  /** Returns whether there is a cookie at all, valid or not. */
  isIn(cookies: CookieStore): boolean {
    return cookies.get(this.options.name) !== undefined;
  }

  /** @returns the ticket, or `undefined` without a valid cookie or if it has expired or was idle too long */
  read(cookies: CookieStore): SessionTicket | undefined {
    const ticket = this.readAny(cookies);
    return ticket !== undefined && this.#endOf(ticket) > this.#now() ? ticket : undefined;
  }

  /** @returns the ticket even if it has expired: a copy of the cookie that was used later may still be valid */
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
      ...attributesOf(this.options.isSecure),
      expires: new Date(end),
      maxAge: Math.max(0, Math.floor((end - this.#now()) / 1000)),
    });
  }

  /** Restarts the idle timeout of a session that is in use. */
  touch(cookies: CookieStore, ticket: SessionTicket): void {
    const now = this.#now();
    if (now - ticket.seenAt >= TOUCH_INTERVAL_MS) this.write(cookies, { ...ticket, seenAt: now });
  }

  /**
   * Uses the same attributes as when it was set: a browser ignores the deletion of a `__Host-` cookie without `Secure`.
   */
  clear(cookies: CookieStore): void {
    cookies.delete(this.options.name, attributesOf(this.options.isSecure));
  }

  /** Returns when the ticket expires if it is not used again. */
  #endOf({ expiresAt, seenAt }: SessionTicket): number {
    return Math.min(expiresAt, seenAt + this.options.idleMs);
  }

  #now(): number {
    return this.options.clock().getTime();
  }
}

const VALUE_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** Marks the browser that requests a link, so that it is recognised when the link is opened (AUTH-06). */
export class BindingCookie {
  constructor(
    readonly name: string,
    private readonly isSecure: boolean,
    private readonly maxAgeSeconds: number,
  ) {}

  /** @returns the digest for the state of the link; only the browser has the value itself */
  issue(cookies: CookieStore): Buffer {
    const value = randomBytes(32).toString('base64url');
    cookies.set(this.name, value, { ...attributesOf(this.isSecure), maxAge: this.maxAgeSeconds });
    return digest(value);
  }

  digestOf(cookies: CookieStore): Buffer | undefined {
    const value = cookies.get(this.name);
    return value !== undefined && VALUE_PATTERN.test(value) ? digest(value) : undefined;
  }

  clear(cookies: CookieStore): void {
    if (cookies.get(this.name) !== undefined) cookies.delete(this.name, attributesOf(this.isSecure));
  }
}

function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
