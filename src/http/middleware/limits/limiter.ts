import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { networkOfAddress } from '../../network-of-address.js';
import { BoundedStore } from './bounded-store.js';
import { askStore, type LimitStoreFactory } from './limit-store.js';
import { judgeCount } from './refuse-call.js';

export interface LimiterOptions {
  /** The name in the `RateLimit-Policy` header. */
  readonly name: string;
  /** The number of requests allowed per window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Returns the key under which a request is counted, or undefined if the limit does not apply to it. */
  readonly keyOf: (request: Request) => string | undefined;
  readonly maxKeys?: number;
  /** Counts shared by several processes; in this process's memory by default. */
  readonly stores?: LimitStoreFactory | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/**
 * Creates the handler of one limit. It responds with 429, `Retry-After`, `RateLimit` and `RateLimit-Policy` if the
 * limit is exceeded (RATE-05), and with 503 while the store fails (RATE-06).
 */
export function limiter(options: LimiterOptions): RequestHandler {
  const { name, limit, windowMs, keyOf, maxKeys, stores, clock = Date.now } = options;
  const store = stores?.({ name, limit, windowMs }) ?? new BoundedStore(limit, { windowMs, maxKeys, clock });
  return async (request: Request, response: Response, next: NextFunction) => {
    const key = keyOf(request);
    if (key === undefined) return next();
    const { totalHits, resetTime } = await askStore(store, (asked) => asked.increment(key));
    judgeCount(response, { name, limit, windowMs, waitMs: resetTime.getTime() - clock() }, totalHits);
    next();
  };
}

/** Returns the network of the client, taking trusted proxies into account (RATE-03). */
export function networkOf(request: Request): string {
  return networkOfAddress(request.ip);
}
