import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { OpenedSession } from '../../gateways/appwrite/identity-types.js';
import type { KeyValueStore, KeyValueStoreFactory } from './key-value-store.js';

/** The identity backend's own hour for a link, twice: what is remembered of a link outlives it. */
const LINK_MS = 2 * 60 * 60 * 1000;
/** How long a sign-in may take: when its process has gone, the link is free after this. */
const RUNNING_MS = 120_000;
/** How long a session that could not be handed over is kept. */
const BROKEN_MS = 600_000;
const USED = 'used';

const Opened = z.object({ id: z.string(), userId: z.string(), secret: z.string(), expire: z.string() });

/** A link in the hands of one caller: nobody else can use it until `release` or `use`. */
export interface LinkReservation {
  /** What an earlier try of the same link got from the identity backend before it broke off. */
  readonly session: OpenedSession | undefined;
  /** The link is still good: the next try may go on, with the session if there is one already. */
  release(session?: OpenedSession): Promise<void>;
  /** The link has had its one use. */
  use(): Promise<void>;
}

/**
 * What is remembered of links: when they were asked for, which are in use and which are used up. The identity backend
 * checks a link, opens the session and deletes the link in three steps: two callers in the same instant could both
 * succeed there (LOGIN-05).
 *
 * Links are kept as digests, for two hours; a session that was opened and could not be handed over for ten minutes.
 *
 * Every method that reads rejects with `SharedStateUnavailableError` when the stores are shared and away.
 */
export class LinkUses {
  readonly #uses: KeyValueStore;
  readonly #broken: KeyValueStore;
  readonly #issuedAt: KeyValueStore;
  readonly #signedInAt: KeyValueStore;

  constructor(stores: KeyValueStoreFactory) {
    this.#uses = stores('link-use');
    this.#broken = stores('link-session');
    this.#issuedAt = stores('link-issue');
    this.#signedInAt = stores('sign-in');
  }

  /** @returns `undefined` when the link is used up, or somebody is using it right now */
  async reserve(userId: string, secret: string): Promise<LinkReservation | undefined> {
    const link = digest(`${userId}:${secret}`);
    const running = `running ${randomUUID()}`;
    if (!(await this.#uses.add(link, running, RUNNING_MS))) return undefined;
    return {
      session: await this.#brokenSession(link),
      release: async (session) => {
        if (session !== undefined) await this.#broken.keep(link, JSON.stringify(session), BROKEN_MS);
        await this.#uses.discard(link, running);
      },
      use: async () => {
        await this.#uses.keep(link, USED, LINK_MS);
        await this.#broken.discard(link);
      },
    };
  }

  async isUsed(userId: string, secret: string): Promise<boolean> {
    return (await this.#uses.get(digest(`${userId}:${secret}`))) === USED;
  }

  /** @param fingerprint SHA-256 of the link's secret, hexadecimal */
  rememberIssue(fingerprint: string, issuedAt: number): Promise<void> {
    return this.#issuedAt.keep(fingerprint, String(issuedAt), LINK_MS);
  }

  /** @returns when this service asked for the link; milliseconds */
  async issueOf(secret: string): Promise<number | undefined> {
    return toNumber(await this.#issuedAt.get(digest(secret)));
  }

  /** From now on the person's links from before are dead (LOGIN-07). */
  rememberSignIn(userId: string, at: number): Promise<void> {
    return this.#signedInAt.keep(userId, String(at), LINK_MS);
  }

  async lastSignInOf(userId: string): Promise<number | undefined> {
    return toNumber(await this.#signedInAt.get(userId));
  }

  async #brokenSession(link: string): Promise<OpenedSession | undefined> {
    const text = await this.#broken.get(link).catch(() => undefined); // it is only a short cut
    return text === undefined ? undefined : Opened.safeParse(JSON.parse(text)).data;
  }
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
