import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Options } from 'express-rate-limit';
import { BoundedStore } from './bounded-store.js';
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
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/**
 * A limit that counts only what was refused with 401, once that is known. What is under way is not held against
 * anybody: a lecture hall may open its links at the same moment; nor is an outage, after which links are still good.
 */
export function failureLimit(options: FailureLimitOptions): RequestHandler {
  const { name, limit, windowMs, keyOf, skip, clock = Date.now } = options;
  // A key that has as many failures as it may is the one that must not be pushed out.
  const store = new BoundedStore(limit - 1, undefined, clock);
  store.init({ windowMs } as Options);

  return (request: Request, response: Response, next: NextFunction) => {
    if (skip(request)) return next();
    const key = keyOf(request);
    const known = store.get(key);
    if (known !== undefined && known.totalHits >= limit) {
      refuseCall(response, { name, limit, windowMs, waitMs: (known.resetTime?.getTime() ?? 0) - clock() });
    }
    response.on('close', () => {
      // Whoever does not wait for the answer has tried all the same.
      if (!response.writableFinished || response.statusCode === 401) store.increment(key);
    });
    next();
  };
}
