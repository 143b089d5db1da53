import { OverloadedError, SharedStateUnavailableError } from '../../../domain/errors/operator-errors.js';

/** The count of one key. */
export interface LimitCount {
  readonly totalHits: number;
  /** When the window of the key ends. */
  readonly resetTime: Date;
}

/**
 * Counts hits per key in fixed windows (RATE-06). A store in memory returns values, a remote store returns promises.
 */
export interface LimitStore {
  /** The timeout in milliseconds; one second by default. */
  readonly timeoutMs?: number | undefined;
  /** Returns the count of a key without changing it; undefined if it has no current window. */
  get(key: string): LimitCount | undefined | Promise<LimitCount | undefined>;
  /** Counts one hit. The first hit of a key starts its window. @returns the hits in the window, including this one */
  increment(key: string): LimitCount | Promise<LimitCount>;
}

/** The limit for which a store is created. */
export interface LimitStoreRequest {
  /**
   * The name of the limit, such as `network-minute`. A store that several limits share uses it as a prefix of its keys.
   */
  readonly name: string;
  /** The number of hits after which a key is refused. */
  readonly limit: number;
  readonly windowMs: number;
}

/** Creates the store of one limit. */
export type LimitStoreFactory = (request: LimitStoreRequest) => LimitStore;

/** After this time a call is refused or counted locally. */
const STORE_TIMEOUT_MS = 1_000;

const RETRY_AFTER_SECONDS = 5;

/**
 * Calls a store that may fail.
 *
 * @throws {OverloadedError} the store failed or timed out
 * @throws {SharedStateUnavailableError} passed on from the store
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
