import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { BoundedStore } from './bounded-store.js';
import { askStore, type LimitStoreFactory } from './limit-store.js';
import { refuseCall } from './refuse-call.js';

export interface FailureLimitOptions {
  /** Stands in the `RateLimit-Policy` header. */
  readonly name: string;
  /** Failures a window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Whose failures are counted together. */
  readonly keyOf: (request: Request) => string;
  /** Requests that are none of this limit's business. */
  readonly skip: (request: Request) => boolean;
  /** Counts for several processes together; this process alone by default. */
  readonly stores?: LimitStoreFactory | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/**
 * A limit that counts only what was refused with 401, once that is known. What is under way is not held against
 * anybody: a lecture hall may open its links at the same moment; nor is an outage, after which links are still good.
 *
 * Its handler passes on an `OverloadedError` or a `SharedStateUnavailableError` (503) while the store fails: guesses nobody counts are not let in (RATE-06).
 */
export function failureLimit(options: FailureLimitOptions): RequestHandler {
  const { name, limit, windowMs, keyOf, skip, stores, clock = Date.now } = options;
  const store = stores?.({ name, limit, windowMs }) ?? localStore(limit, windowMs, clock);
  // One that cannot be counted now is not: the store is asked again before the next try, and refuses it if it still fails.
  const count = (key: string): void =>
    void askStore(store, (asked) => asked.increment(key)).catch(() => undefined);

  return async (request: Request, response: Response, next: NextFunction) => {
    if (skip(request)) return next();
    const key = keyOf(request);
    const known = await askStore(store, (asked) => asked.get(key));
    if (known !== undefined && known.totalHits >= limit) {
      refuseCall(response, { name, limit, windowMs, waitMs: known.resetTime.getTime() - clock() });
    }
    const judge = (): void => {
      // Whoever does not wait for the answer has tried all the same.
      if (!response.writableFinished || response.statusCode === 401) count(key);
    };
    if (response.closed) judge();
    else response.on('close', judge);
    next();
  };
}

/** A key that has as many failures as it may is the one that must not be pushed out. */
function localStore(limit: number, windowMs: number, clock: () => number): BoundedStore {
  const store = new BoundedStore(limit - 1, undefined, clock);
  store.init({ windowMs });
  return store;
}
