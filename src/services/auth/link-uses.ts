import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { OpenedSession } from '../../gateways/appwrite/identity-types.js';

const MAX_ENTRIES = 10_000;
const BROKEN_TTL_MS = 600_000;

/** A link in the hands of one caller: nobody else can use it until `release` or `use`. */
export interface LinkReservation {
  /** What an earlier try of the same link got from the identity backend before it broke off. */
  readonly session: OpenedSession | undefined;
  /** The link is still good: the next try may go on, with the session if there is one already. */
  release(session?: OpenedSession): void;
  /** The link has had its one use. */
  use(): void;
}

/**
 * What this process remembers of links: when they were asked for, which are in use and which are used up. The identity
 * backend checks a link, opens the session and deletes the link in three steps: two callers in the same instant could
 * both succeed there (LOGIN-05).
 *
 * Memory: at most 10,000 entries of each kind, the oldest go first. Links are kept as digests; a session that was opened
 * and could not be handed over is kept for ten minutes.
 */
export class LinkUses {
  readonly #running = new Set<string>();
  readonly #used = new LRUCache<string, true>({ max: MAX_ENTRIES });
  readonly #broken = new LRUCache<string, OpenedSession>({ max: 1_000, ttl: BROKEN_TTL_MS });
  readonly #issuedAt = new LRUCache<string, number>({ max: MAX_ENTRIES });
  readonly #signedInAt = new LRUCache<string, number>({ max: MAX_ENTRIES });

  /** @returns `undefined` when the link is used up, or somebody is using it right now */
  reserve(userId: string, secret: string): LinkReservation | undefined {
    const link = digest(`${userId}:${secret}`);
    if (this.#running.has(link) || this.#used.has(link)) return undefined;
    this.#running.add(link);
    return {
      session: this.#broken.get(link),
      release: (session) => {
        this.#running.delete(link);
        if (session !== undefined) this.#broken.set(link, session);
      },
      use: () => {
        this.#used.set(link, true);
        this.#broken.delete(link);
        this.#running.delete(link);
      },
    };
  }

  isUsed(userId: string, secret: string): boolean {
    return this.#used.has(digest(`${userId}:${secret}`));
  }

  /** @param fingerprint SHA-256 of the link's secret, hexadecimal */
  rememberIssue(fingerprint: string, issuedAt: number): void {
    this.#issuedAt.set(fingerprint, issuedAt);
  }

  /** @returns when this process asked for the link; milliseconds */
  issueOf(secret: string): number | undefined {
    return this.#issuedAt.get(digest(secret));
  }

  /** From now on the person's links from before are dead (LOGIN-07). */
  rememberSignIn(userId: string, at: number): void {
    this.#signedInAt.set(userId, at);
  }

  lastSignInOf(userId: string): number | undefined {
    return this.#signedInAt.get(userId);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
