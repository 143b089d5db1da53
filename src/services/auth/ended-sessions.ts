import { LRUCache } from 'lru-cache';
import type { AppwriteGateway } from '../../gateways/appwrite/appwrite-gateway.js';

const MAX_ENTRIES = 10_000;
const RETRY_INTERVAL_MS = 15_000;

/**
 * The sessions that ended here. A cookie of one is refused at once, whatever a cached check or the identity backend
 * still says; one whose end the backend has not heard of is ended there when it answers again (SESS-03).
 *
 * Memory: at most 10,000 sessions, by id; the oldest go first.
 */
export class EndedSessions {
  readonly #ended = new LRUCache<string, string>({ max: MAX_ENTRIES });
  readonly #pending = new Set<string>();
  #lastRetryAt = 0;

  constructor(
    private readonly identity: Pick<AppwriteGateway, 'deleteUserSession'>,
    private readonly clock: () => Date,
  ) {}

  has(sessionId: string): boolean {
    return this.#ended.has(sessionId);
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Whether the identity backend has ended it too. */
  isConfirmed(sessionId: string): boolean {
    return this.#ended.has(sessionId) && !this.#pending.has(sessionId);
  }

  /** @param isConfirmed whether the identity backend has ended it too */
  add(sessionId: string, userId: string, isConfirmed: boolean): void {
    this.#ended.set(sessionId, userId);
    if (isConfirmed) this.#pending.delete(sessionId);
    else this.#pending.add(sessionId);
    if (this.#pending.size > MAX_ENTRIES) this.#forgetOldest();
  }

  /** Ends one unconfirmed session at the identity backend, at most every 15 seconds; a failure is left for the next time. */
  async confirmOne(): Promise<void> {
    const [sessionId] = this.#pending;
    const now = this.clock().getTime();
    if (sessionId === undefined || now - this.#lastRetryAt < RETRY_INTERVAL_MS) return;
    this.#lastRetryAt = now;
    const userId = this.#ended.peek(sessionId);
    this.#pending.delete(sessionId);
    if (userId === undefined) return;
    try {
      await this.identity.deleteUserSession(userId, sessionId);
    } catch {
      this.#pending.add(sessionId); // at the end of the row, so that one hopeless case blocks no other
    }
  }

  /**
   * Ends every unconfirmed session at the identity backend, each tried once: what is still unconfirmed when the process
   * ends, nobody remembers. Stops at the first failure, since the others would meet the same outage.
   */
  async confirmAll(): Promise<void> {
    for (const sessionId of [...this.#pending]) {
      const userId = this.#ended.peek(sessionId);
      if (userId === undefined) continue;
      try {
        await this.identity.deleteUserSession(userId, sessionId);
      } catch {
        return;
      }
      this.#pending.delete(sessionId);
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#pending;
    if (oldest !== undefined) this.#pending.delete(oldest);
  }
}
