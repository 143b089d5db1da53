import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { readAddress } from '../../services/auth/address/canonical-address.js';
import { quotaAddress } from '../../services/auth/address/quota-address.js';
import { isReadOnly } from '../../http/read-only.js';
import { failureLimit } from './failure-limit.js';
import type { LimitStoreFactory } from './limit-store.js';
import { limiter, networkOf } from './limiter.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How often links may be asked for and used (RATE-01). */
export interface SignInLimits {
  /** In front of every route that sends a mail, after its body was read. */
  readonly signup: readonly RequestHandler[];
  /** In front of every route that uses a link: counts failures. */
  readonly login: readonly RequestHandler[];
}

/** On the sandbox no mail is sent and nobody is guessed at: whoever tries it out is not stopped, a loop that runs wild is. */
const SANDBOX_FACTOR = 50;

/**
 * Limits per network, per address and over all. They count requests, whether or not the address has an account, and
 * never stand in the way of a link that was mailed already (RATE-02).
 *
 * @param canonical the address as it is sent upstream, or undefined when no mail is sent to it
 * @param options whether the sandbox stands in for Appwrite: every limit is 50 times as high then; the stores
 * of the limits, in this process's memory by default; and the clock, in milliseconds since the epoch, for tests
 */
export function createSignInLimits(
  canonical: (address: string) => string | undefined,
  {
    isSandbox = false,
    stores,
    clock = Date.now,
  }: {
    readonly isSandbox?: boolean;
    readonly stores?: LimitStoreFactory | undefined;
    readonly clock?: () => number;
  } = {},
): SignInLimits {
  const addressOf = (request: Request): string | undefined => addressKey(request, canonical);
  const factor = isSandbox ? SANDBOX_FACTOR : 1;
  return {
    signup: [
      limiter({
        name: 'network-minute',
        limit: 5 * factor,
        windowMs: MINUTE,
        keyOf: networkOf,
        stores,
        clock,
      }),
      limiter({ name: 'network-hour', limit: 30 * factor, windowMs: HOUR, keyOf: networkOf, stores, clock }),
      limiter({
        name: 'address-minute',
        limit: 1 * factor,
        windowMs: MINUTE,
        keyOf: addressOf,
        stores,
        clock,
      }),
      limiter({ name: 'address-hour', limit: 5 * factor, windowMs: HOUR, keyOf: addressOf, stores, clock }),
      limiter({
        name: 'all-minute',
        limit: 60 * factor,
        windowMs: MINUTE,
        keyOf: (request) => addressOf(request) && 'all',
        stores,
        clock,
      }),
    ],
    login: [
      failureLimit({
        name: 'login-failures',
        limit: 10 * factor,
        windowMs: 15 * MINUTE,
        keyOf: networkOf,
        skip: usesNoLink,
        stores,
        clock,
      }),
    ],
  };
}

/** The page that asks for an address uses no link, nor does a load that nobody sees: both stay open to everybody. */
function usesNoLink(request: Request): boolean {
  return request.method !== 'POST' && (request.query.secret === undefined || isReadOnly(request));
}

/**
 * The address is kept as a digest: a counter needs no address. What is not an address, or may not sign in, sends no mail
 * and is counted by network alone, so that whoever mistypes twice still gets an explanation.
 */
function addressKey(
  request: Request,
  canonical: (address: string) => string | undefined,
): string | undefined {
  const { email } = (request.body ?? {}) as { readonly email?: unknown };
  const address = typeof email === 'string' ? readAddress(canonical(email)) : undefined;
  return address && createHash('sha256').update(quotaAddress(address)).digest('base64url');
}
