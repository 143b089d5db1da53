import type { Request, RequestHandler, Response } from 'express';
import { RateLimitedError } from '../../../domain/errors/access-errors.js';
import { networkOfAddress } from '../../network-of-address.js';
import { BoundedStore } from './bounded-store.js';
import {
  askStore,
  type LimitCount,
  type LimitStore,
  type LimitStoreFactory,
  type LimitStoreRequest,
} from './limit-store.js';

/** What a limit counts: under its name, which is in the `RateLimit-Policy` header, up to its limit in each window. */
export interface LimitOptions extends LimitStoreRequest {
  readonly maxKeys?: number;
  /** Counts shared by several processes; in this process's memory by default. */
  readonly stores?: LimitStoreFactory | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/**
 * Creates the handler of one limit. It responds with 429, `Retry-After`, `RateLimit` and `RateLimit-Policy` if the
 * limit is exceeded (RATE-05), and with 503 while the store fails (RATE-06).
 *
 * @param keyOf returns the key under which a request is counted, or undefined if the limit does not apply to it
 */
export function limiter(
  options: LimitOptions,
  keyOf: (request: Request) => string | undefined,
): RequestHandler {
  const store = storeOf(options);
  return async (request, response, next) => {
    const key = keyOf(request);
    if (key === undefined) return next();
    const count = await askStore(store, (asked) => asked.increment(key));
    judge(count, options, response);
    next();
  };
}

/**
 * A limit that counts only requests that were refused with 401, after they have ended. Requests in progress do not
 * count, because a whole lecture hall may open its links at the same moment. Neither does an outage, after which links
 * remain valid.
 *
 * While the store fails, the handler passes on an `OverloadedError` or a `SharedStateUnavailableError` (503): guesses
 * that cannot be counted are not let in (RATE-06).
 *
 * @param keyOf returns the key under which the failures of a request are counted, or undefined if the limit does not
 * apply to it
 */
export function failureLimit(
  options: LimitOptions,
  keyOf: (request: Request) => string | undefined,
): RequestHandler {
  // One lower in memory, so that a key with the maximum number of failures counts as blocked and is not dropped.
  const store = storeOf(options, options.limit - 1);
  // A failure that cannot be counted is ignored. The store is asked again before the next try, which is refused if it
  // still fails.
  const count = (key: string): void =>
    void askStore(store, (asked) => asked.increment(key)).catch(() => undefined);

  return async (request, response, next) => {
    const key = keyOf(request);
    if (key === undefined) return next();
    const known = await askStore(store, (asked) => asked.get(key));
    // This try would be one more.
    if (known !== undefined && known.totalHits >= options.limit)
      judge({ ...known, totalHits: known.totalHits + 1 }, options, response);
    const end = (): void => {
      // A client that disconnects before the response has made a try as well.
      if (!response.writableFinished || response.statusCode === 401) count(key);
    };
    if (response.closed) end();
    else response.on('close', end);
    next();
  };
}

/**
 * Creates a limit for every call. Unlike `limiter`, it counts locally while a shared store fails: a loose limit is better
 * than no response (RATE-06). With 0 there is no limit.
 *
 * @returns counts one call of a key; throws `RateLimitedError` if the key has exceeded its limit for this window
 */
export function callLimit(options: LimitOptions): (key: string, response: Response) => Promise<void> {
  const { name, limit, windowMs, stores } = options;
  const local = new BoundedStore(limit, options);
  const shared = stores?.({ name, limit, windowMs });
  return async (key, response) => {
    if (limit === 0) return;
    const counted =
      shared && (await askStore(shared, (store) => store.increment(key)).catch(() => undefined));
    judge(counted ?? local.increment(key), options, response);
  };
}

/** Returns the network of the client, taking trusted proxies into account (RATE-03). */
export function networkOf(request: Request): string {
  return networkOfAddress(request.ip);
}

/** @param blockedAbove the number of hits after which a store in memory keeps a key */
function storeOf(options: LimitOptions, blockedAbove = options.limit): LimitStore {
  const { name, limit, windowMs, stores } = options;
  return stores?.({ name, limit, windowMs }) ?? new BoundedStore(blockedAbove, options);
}

/**
 * Adds a limit to `RateLimit` and `RateLimit-Policy` (RATE-05), and refuses the call if it exceeds the limit.
 *
 * @param count the calls in this window, including this one
 * @throws {RateLimitedError} there are more than the limit
 */
function judge(
  { totalHits, resetTime }: LimitCount,
  { name, limit, windowMs, clock = Date.now }: LimitOptions,
  response: Response,
): void {
  // Rounded up, because an earlier retry would be refused again.
  const seconds = Math.max(1, Math.ceil((resetTime.getTime() - clock()) / 1000));
  response.appendHeader('RateLimit-Policy', `"${name}"; q=${limit}; w=${windowMs / 1000}`);
  response.appendHeader('RateLimit', `"${name}"; r=${Math.max(0, limit - totalHits)}; t=${seconds}`);
  if (totalHits > limit) throw new RateLimitedError(seconds);
}
