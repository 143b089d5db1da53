import { OverloadedError, SharedStateUnavailableError } from '../../errors/operator-errors.js';

/** What a store has counted for one key. */
export interface LimitCount {
  readonly totalHits: number;
  /** When the key's window ends. */
  readonly resetTime: Date;
}

/** Counts hits by key in fixed windows (RATE-06). A store in memory answers at once, a remote one with promises. */
export interface LimitStore {
  /** How long it may take, in milliseconds; a second by default. */
  readonly timeoutMs?: number | undefined;
  /** @returns what is counted for a key, without counting; nothing outside of a window */
  get(key: string): LimitCount | undefined | Promise<LimitCount | undefined>;
  /** Counts one hit, in a window that begins with the first. @returns the hits of the window, this one included */
  increment(key: string): LimitCount | Promise<LimitCount>;
}

/** Whose counters a store keeps. */
export interface LimitStoreRequest {
  /** Identifies the limit, as in `network-minute`: a store that several limits share puts it in front of its keys. */
  readonly name: string;
  /** Hits after which a key is refused. */
  readonly limit: number;
  readonly windowMs: number;
}

/** Makes the store of one limit. */
export type LimitStoreFactory = (request: LimitStoreRequest) => LimitStore;

/** What waits for longer is refused, or counted here. */
const STORE_TIMEOUT_MS = 1_000;

const RETRY_AFTER_SECONDS = 5;

/**
 * Asks a store that may fail.
 *
 * @throws {OverloadedError} the store failed, or took longer than it may
 * @throws {SharedStateUnavailableError} the store says so
 */
export async function askStore<Answer>(
  store: LimitStore,
  ask: (store: LimitStore) => Answer | Promise<Answer>,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error('The store of the limits took too long.')),
      store.timeoutMs ?? STORE_TIMEOUT_MS,
    ).unref();
  });
  try {
    return await Promise.race([ask(store), tooLate]);
  } catch (cause) {
    if (cause instanceof SharedStateUnavailableError) throw cause;
    throw new OverloadedError({ retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
  } finally {
    clearTimeout(timer);
  }
}
