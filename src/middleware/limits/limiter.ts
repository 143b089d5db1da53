import type { Request, RequestHandler } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import { RateLimitedError } from '../../errors/caller-errors.js';
import { networkOfAddress } from '../../http/network-of-address.js';
import { BoundedStore } from './bounded-store.js';
import { askStore, type LimitStore, type LimitStoreFactory } from './limit-store.js';

export interface LimiterOptions {
  /** Stands in the `RateLimit-Policy` header. */
  readonly name: string;
  /** Requests a window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Whose requests are counted together; a request without a key is none of this limit's business. */
  readonly keyOf: (request: Request) => string | undefined;
  readonly maxKeys?: number;
  /** Counts for several processes together; this process alone by default. */
  readonly stores?: LimitStoreFactory | undefined;
  readonly clock?: () => number;
}

/**
 * One limit: 429 with `Retry-After`, `RateLimit` and `RateLimit-Policy` (RATE-05) once it is used up, and 503 while the
 * store fails (RATE-06).
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
    // The settings are in code of this package and tested there; the checks print to the console.
    validate: false,
    handler: (request, _response, next) => next(new RateLimitedError(secondsToReset(request, options.clock))),
  });
}

function storeOf({ name, limit, windowMs, maxKeys, stores, clock }: LimiterOptions): Store {
  return stores === undefined
    ? new BoundedStore(limit, maxKeys, clock)
    : rateLimitStore(stores({ name, limit, windowMs }));
}

/** A store as express-rate-limit asks for it; the limits here take no hit back, and reset no key. */
function rateLimitStore(store: LimitStore): Store {
  return {
    increment: (key) => askStore(store, (asked) => asked.increment(key)),
    decrement: () => undefined,
    resetKey: () => undefined,
  };
}

/** The network of the client that sent a request, as the proxies that are trusted tell it (RATE-03). */
export function networkOf(request: Request): string {
  return networkOfAddress(request.ip);
}

/** At least one, rounded up: coming back earlier would be refused again. */
function secondsToReset(request: Request, clock: () => number = Date.now): number {
  const { rateLimit: info } = request as Request & { readonly rateLimit?: { readonly resetTime?: Date } };
  const remainingMs = (info?.resetTime?.getTime() ?? 0) - clock();
  return Math.max(1, Math.ceil(remainingMs / 1000));
}
