import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { BoundedStore } from './bounded-store.js';
import { askStore, type LimitStoreFactory } from './limit-store.js';
import { judgeCount } from './refuse-call.js';

export interface FailureLimitOptions {
  /** The name in the `RateLimit-Policy` header. */
  readonly name: string;
  /** The number of failures allowed per window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Returns the key under which the failures of a request are counted. */
  readonly keyOf: (request: Request) => string;
  /** Whether the limit does not apply to a request. */
  readonly skip: (request: Request) => boolean;
  readonly maxKeys?: number;
  /** Counts shared by several processes; in this process's memory by default. */
  readonly stores?: LimitStoreFactory | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/**
 * A limit that counts only requests that were refused with 401, after they have ended. Requests in progress do not
 * count, because a whole lecture hall may open its links at the same moment. Neither does an outage, after which links
 * remain valid.
 *
 * While the store fails, the handler passes on an `OverloadedError` or a `SharedStateUnavailableError` (503): guesses
 * that cannot be counted are not let in (RATE-06).
 */
export function failureLimit(options: FailureLimitOptions): RequestHandler {
  const { name, limit, windowMs, keyOf, skip, maxKeys, stores, clock = Date.now } = options;
  // One lower in memory, so that a key with the maximum number of failures counts as blocked and is not dropped.
  const store =
    stores?.({ name, limit, windowMs }) ?? new BoundedStore(limit - 1, { windowMs, maxKeys, clock });
  // A failure that cannot be counted is ignored. The store is asked again before the next try, which is refused if it
  // still fails.
  const count = (key: string): void =>
    void askStore(store, (asked) => asked.increment(key)).catch(() => undefined);

  return async (request: Request, response: Response, next: NextFunction) => {
    if (skip(request)) return next();
    const key = keyOf(request);
    const known = await askStore(store, (asked) => asked.get(key));
    if (known !== undefined && known.totalHits >= limit) {
      const waitMs = known.resetTime.getTime() - clock();
      // This try would be one more.
      judgeCount(response, { name, limit, windowMs, waitMs }, known.totalHits + 1);
    }
    const judge = (): void => {
      // A client that disconnects before the response has made a try as well.
      if (!response.writableFinished || response.statusCode === 401) count(key);
    };
    if (response.closed) judge();
    else response.on('close', judge);
    next();
  };
}
