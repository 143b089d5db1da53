import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { OpenedSession } from '../../gateways/appwrite/identity-types.js';
import type { KeyValueStore, KeyValueStoreFactory } from './key-value-store.js';

/** Twice the lifetime of a link at the identity backend, so that a link is remembered until it has expired. */
const LINK_MS = 2 * 60 * 60 * 1000;
/** Maximum duration of a sign-in. If its process has stopped, the link can be used again after this time. */
const RUNNING_MS = 120_000;
/** How long a session is kept that could not be passed to the person. */
const BROKEN_MS = 600_000;
const USED = 'used';

const Opened = z.object({ id: z.string(), userId: z.string(), secret: z.string(), expire: z.string() });

/** Reserves a link for one caller. No other caller can use it until `release` or `use`. */
export interface LinkReservation {
  /** The session that an earlier attempt with the same link received from the identity backend before it broke off. */
  readonly session: OpenedSession | undefined;
  /** Leaves the link valid. The next attempt can continue, with the session if one was opened. */
  release(session?: OpenedSession): Promise<void>;
  /** Marks the link as used. */
  use(): Promise<void>;
}

/**
 * Remembers when links were requested, and which are in use or used up. The identity backend checks a link, opens the
 * session and deletes the link in three steps, so that two simultaneous callers could both succeed there (LOGIN-05).
 *
 * Links are stored as digests, for two hours. A session that was opened but could not be passed to the person is stored
 * for ten minutes.
 *
 * Every method that reads rejects with `SharedStateUnavailableError` if shared stores are unavailable.
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

  /** @returns `undefined` if the link is used up or currently in use */
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

  /** @param fingerprint SHA-256 of the secret of the link, in hexadecimal */
  rememberIssue(fingerprint: string, issuedAt: number): Promise<void> {
    return this.#issuedAt.keep(fingerprint, String(issuedAt), LINK_MS);
  }

  /** @returns when this service requested the link; milliseconds */
  async issueOf(secret: string): Promise<number | undefined> {
    return toNumber(await this.#issuedAt.get(digest(secret)));
  }

  /** Invalidates all earlier links of the person (LOGIN-07). */
  rememberSignIn(userId: string, at: number): Promise<void> {
    return this.#signedInAt.keep(userId, String(at), LINK_MS);
  }

  async lastSignInOf(userId: string): Promise<number | undefined> {
    return toNumber(await this.#signedInAt.get(userId));
  }

  async #brokenSession(link: string): Promise<OpenedSession | undefined> {
    const text = await this.#broken.get(link).catch(() => undefined); // only a shortcut
    return text === undefined ? undefined : Opened.safeParse(JSON.parse(text)).data;
  }
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
