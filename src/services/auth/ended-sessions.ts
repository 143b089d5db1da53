import type { AppwriteGateway } from '../../gateways/appwrite/appwrite-gateway.js';
import type { KeyValueStore } from './key-value-store.js';

const MAX_PENDING = 10_000;
const RETRY_INTERVAL_MS = 15_000;
const ENDED = 'ended';

/**
 * The sessions that ended here, or in another process that shares the store. A cookie of one is refused at once, whatever
 * a cached check or the identity backend still says; one whose end the backend has not heard of is ended there when it
 * answers again (SESS-03), by the process that ended it.
 *
 * Memory: at most 10,000 unconfirmed sessions, by id; the oldest go first.
 */
export class EndedSessions {
  /** The person of each session whose end is not confirmed. */
  readonly #pending = new Map<string, string>();
  #lastRetryAt = 0;

  /** @param rememberedMs as long as a cookie can live */
  constructor(
    private readonly identity: Pick<AppwriteGateway, 'deleteUserSession'>,
    private readonly store: KeyValueStore,
    private readonly rememberedMs: number,
    private readonly clock: () => Date,
  ) {}

  /**
   * While a shared store is away, what is known here counts, and the identity backend is asked each time: it refuses every
   * session whose end it has heard of.
   */
  async has(sessionId: string): Promise<boolean> {
    if (this.#pending.has(sessionId)) return true;
    const ended = await this.store.get(sessionId).catch(() => undefined);
    return ended !== undefined;
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Whether the identity backend has ended it too, as far as is known here. */
  async isConfirmed(sessionId: string): Promise<boolean> {
    return !this.#pending.has(sessionId) && (await this.has(sessionId));
  }

  /** @param isConfirmed whether the identity backend has ended it too */
  async add(sessionId: string, userId: string, isConfirmed: boolean): Promise<void> {
    if (!isConfirmed) {
      this.#pending.set(sessionId, userId);
      if (this.#pending.size > MAX_PENDING) this.#forgetOldest();
    }
    await this.store.keep(sessionId, ENDED, this.rememberedMs);
    if (isConfirmed) this.#pending.delete(sessionId);
  }

  /** Ends one unconfirmed session at the identity backend, at most every 15 seconds; a failure is left for the next time. */
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
      // To the end of the row, so that one hopeless case blocks no other.
      this.#pending.delete(sessionId);
      this.#pending.set(sessionId, userId);
    }
  }

  /**
   * Ends every unconfirmed session at the identity backend, each tried once: what is still unconfirmed when the process
   * ends, nobody remembers but a shared store. Stops at the first failure, since the others would meet the same outage.
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
