import type { AppwriteGateway } from '../../gateways/appwrite/appwrite-gateway.js';
import type { KeyValueStore } from './key-value-store.js';

const MAX_PENDING = 10_000;
const RETRY_INTERVAL_MS = 15_000;
const ENDED = 'ended';

/**
 * The sessions that were ended here, or in another process that shares the store. Their cookies are refused
 * immediately, regardless of cached checks or the identity backend. If the backend does not know yet about the end of a
 * session, the process that ended it retries once the backend is available (SESS-03).
 *
 * Memory: at most 10,000 ids of unconfirmed sessions; the oldest are dropped first.
 */
export class EndedSessions {
  /** Maps each session whose end is unconfirmed to its person. */
  readonly #pending = new Map<string, string>();
  #lastRetryAt = 0;

  /** @param rememberedMs the maximum lifetime of a cookie */
  constructor(
    private readonly identity: Pick<AppwriteGateway, 'deleteUserSession'>,
    private readonly store: KeyValueStore,
    private readonly rememberedMs: number,
    private readonly clock: () => Date,
  ) {}

  /**
   * Returns whether a session has ended. If a shared store is unavailable, only the sessions known to this process
   * count. The identity backend is then asked every time, and refuses all sessions whose end it knows.
   */
  async has(sessionId: string): Promise<boolean> {
    if (this.#pending.has(sessionId)) return true;
    const ended = await this.store.get(sessionId).catch(() => undefined);
    return ended !== undefined;
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Returns whether the identity backend has also ended the session, as far as this process knows. */
  async isConfirmed(sessionId: string): Promise<boolean> {
    return !this.#pending.has(sessionId) && (await this.has(sessionId));
  }

  /** @param isConfirmed whether the identity backend has also ended the session */
  async add(sessionId: string, userId: string, isConfirmed: boolean): Promise<void> {
    if (!isConfirmed) {
      this.#pending.set(sessionId, userId);
      if (this.#pending.size > MAX_PENDING) this.#forgetOldest();
    }
    await this.store.keep(sessionId, ENDED, this.rememberedMs);
    if (isConfirmed) this.#pending.delete(sessionId);
  }

  /**
   * Ends one unconfirmed session at the identity backend, at most every 15 seconds. After a failure it is retried
   * later.
   */
  async confirmOne(): Promise<void> {
    const [oldest] = this.#pending;
    const now = this.clock().getTime();
    if (oldest === undefined || now - this.#lastRetryAt < RETRY_INTERVAL_MS) return;
    this.#lastRetryAt = now;
    const [sessionId, userId] = oldest;
    try {
      await this.identity.deleteUserSession(userId, sessionId);
      this.#pending.delete(sessionId);
    } catch {
      // Moved to the end of the queue, so that one hopeless case does not block the others.
      this.#pending.delete(sessionId);
      this.#pending.set(sessionId, userId);
    }
  }

  /**
   * Tries once to end each unconfirmed session at the identity backend. Sessions that are still unconfirmed when the
   * process ends are remembered only by a shared store. Stops at the first failure, because the others would fail too.
   */
  async confirmAll(): Promise<void> {
    for (const [sessionId, userId] of [...this.#pending]) {
      try {
        await this.identity.deleteUserSession(userId, sessionId);
      } catch {
        return;
      }
      this.#pending.delete(sessionId);
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#pending.keys();
    if (oldest !== undefined) this.#pending.delete(oldest);
  }
}
