import type { Request, RequestHandler } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import { RateLimitedError } from '../../errors/access-errors.js';
import { networkOfAddress } from '../../http/network-of-address.js';
import { BoundedStore } from './bounded-store.js';
import { askStore, type LimitStore, type LimitStoreFactory } from './limit-store.js';

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
  readonly clock?: () => number;
}

/**
 * Creates the handler of one limit. It responds with 429, `Retry-After`, `RateLimit` and `RateLimit-Policy` if the
 * limit is exceeded (RATE-05), and with 503 while the store fails (RATE-06).
 */
export function limiter(options: LimiterOptions): RequestHandler {
  return rateLimit({
    identifier: options.name,
    limit: options.limit,
    windowMs: options.windowMs,
    skip: (request) => options.keyOf(request) === undefined,
    keyGenerator: (request) => options.keyOf(request) ?? '',
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    store: storeOf(options),
    // Skip the built-in checks: the options are fixed and tested in this package, and the checks print to the console.
    validate: false,
    handler: (request, _response, next) => next(new RateLimitedError(secondsToReset(request, options.clock))),
  });
}

function storeOf({ name, limit, windowMs, maxKeys, stores, clock }: LimiterOptions): Store {
  return stores === undefined
    ? new BoundedStore(limit, maxKeys, clock)
    : rateLimitStore(stores({ name, limit, windowMs }));
}

/** Adapts a store to express-rate-limit. The limits here never take back a hit or reset a key. */
function rateLimitStore(store: LimitStore): Store {
  return {
    increment: (key) => askStore(store, (asked) => asked.increment(key)),
    decrement: () => undefined,
    resetKey: () => undefined,
  };
}

/** Returns the network of the client, taking trusted proxies into account (RATE-03). */
export function networkOf(request: Request): string {
  return networkOfAddress(request.ip);
}

/** Returns at least one second, rounded up, because an earlier retry would be refused again. */
function secondsToReset(request: Request, clock: () => number = Date.now): number {
  const { rateLimit: info } = request as Request & { readonly rateLimit?: { readonly resetTime?: Date } };
  const remainingMs = (info?.resetTime?.getTime() ?? 0) - clock();
  return Math.max(1, Math.ceil(remainingMs / 1000));
}
