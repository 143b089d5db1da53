import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { IdentityError } from './identity-error.js';

export interface StoredUser {
  readonly id: string;
  /** As sent by the client; Appwrite does not convert it to lower case here. */
  readonly email: string;
  readonly createdAt: Date;
  isEmailVerified: boolean;
  isEnabled: boolean;
}

interface StoredToken {
  readonly id: string;
  readonly userId: string;
  readonly secretHash: string;
  readonly expiresAt: Date;
}

export interface StoredSession {
  readonly id: string;
  readonly userId: string;
  readonly secretHash: string;
  readonly createdAt: Date;
  readonly userAgent: string;
  readonly expiresAt: Date;
}

/** One hour. @see docs/protocol/appwrite.md 6 (source) */
const LINK_LIFE_MS = 60 * 60 * 1000;

/** One year. @see docs/protocol/appwrite.md 6 (source) */
const SESSION_LIFE_MS = 31_536_000_000;

/** Maximum number of sessions per user. A new one ends the oldest. @see docs/protocol/appwrite.md 5.5 (source) */
const SESSION_LIMIT = 10;

/** Maximum number of accounts. A new one deletes the oldest, because anybody can request a link for any address. */
const USER_LIMIT = 10_000;

/**
 * The accounts, links and sessions of a project, in memory. Secrets are stored only as SHA-256 hashes. Expired links and
 * sessions are removed when a new one is added, and the oldest of more than 10,000 accounts.
 */
export class IdentityStore {
  readonly #users = new Map<string, StoredUser>();
  readonly #tokens = new Map<string, StoredToken>();
  readonly #sessions = new Map<string, StoredSession>();

  /** @param now the server's time */
  constructor(private readonly now: () => Date) {}

  get users(): readonly StoredUser[] {
    return [...this.#users.values()];
  }

  user(id: string): StoredUser | undefined {
    return this.#users.get(id);
  }

  userByEmail(email: string): StoredUser | undefined {
    for (const user of this.#users.values()) if (user.email === email) return user;
    return undefined;
  }

  addUser(id: string, email: string): StoredUser {
    const user = { id, email, createdAt: this.now(), isEmailVerified: false, isEnabled: true };
    this.#users.set(id, user);
    const [oldest] = this.#users.keys();
    if (oldest !== undefined && this.#users.size > USER_LIMIT) this.deleteUser(oldest);
    return user;
  }

  /** Deletes everything about a user. The ID and address can be used again. */
  deleteUser(id: string): void {
    this.#users.delete(id);
    this.deleteSessionsOf(id);
    for (const token of [...this.#tokens.values()]) if (token.userId === id) this.#tokens.delete(token.id);
  }

  /** Creates a link. A user can have several valid ones. */
  addToken(userId: string): { readonly id: string; readonly secret: string; readonly expiresAt: Date } {
    const now = this.now();
    for (const { id, expiresAt } of this.#tokens.values()) if (expiresAt < now) this.#tokens.delete(id);
    const secret = randomBytes(32).toString('hex');
    const token = {
      id: newId(),
      userId,
      secretHash: hash(secret),
      expiresAt: new Date(now.getTime() + LINK_LIFE_MS),
    };
    this.#tokens.set(token.id, token);
    return { id: token.id, secret, expiresAt: token.expiresAt };
  }

  /**
   * Redeems a link, which can be used once.
   *
   * @throws {IdentityError} `user_invalid_token`, whatever the reason
   */
  takeToken(userId: string, secret: string): StoredUser {
    const user = this.#users.get(userId);
    const token = [...this.#tokens.values()].find(
      (candidate) =>
        candidate.userId === userId &&
        candidate.expiresAt >= this.now() &&
        isHashOf(candidate.secretHash, secret),
    );
    if (user === undefined || token === undefined) throw new IdentityError('user_invalid_token');
    this.#tokens.delete(token.id);
    user.isEmailVerified = true;
    return user;
  }

  /** The number of links and sessions in memory. */
  get size(): number {
    return this.#tokens.size + this.#sessions.size;
  }

  /** @returns the session and its secret, 256 hexadecimal digits */
  addSession(
    userId: string,
    userAgent: string,
  ): { readonly session: StoredSession; readonly secret: string } {
    const secret = randomBytes(128).toString('hex');
    const createdAt = this.now();
    for (const { id, expiresAt } of this.#sessions.values())
      if (expiresAt <= createdAt) this.#sessions.delete(id);
    const session = {
      id: newId(),
      userId,
      secretHash: hash(secret),
      createdAt,
      userAgent,
      expiresAt: new Date(createdAt.getTime() + SESSION_LIFE_MS),
    };
    this.#sessions.set(session.id, session);
    const [oldest, ...others] = this.sessionsOf(userId);
    if (others.length >= SESSION_LIMIT && oldest !== undefined) this.#sessions.delete(oldest.id);
    return { session, secret };
  }

  /** Returns the unexpired session that a secret belongs to. */
  sessionOf(userId: string, secret: string): StoredSession | undefined {
    return this.sessionsOf(userId).find(({ secretHash }) => isHashOf(secretHash, secret));
  }

  /** Returns the unexpired sessions of a user, oldest first. */
  sessionsOf(userId: string): StoredSession[] {
    return [...this.#sessions.values()].filter(
      (session) => session.userId === userId && session.expiresAt > this.now(),
    );
  }

  deleteSession(id: string): void {
    this.#sessions.delete(id);
  }

  deleteSessionsOf(userId: string): void {
    for (const session of [...this.#sessions.values()]) {
      if (session.userId === userId) this.#sessions.delete(session.id);
    }
  }
}

/** Returns 20 lowercase hexadecimal digits, like Appwrite. @see docs/protocol/appwrite.md 7.1 (source) */
export function newId(): string {
  return randomBytes(10).toString('hex');
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function isHashOf(stored: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(stored, 'hex'), Buffer.from(hash(secret), 'hex'));
}
