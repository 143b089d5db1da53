import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { readAddress } from '../../../services/auth/address/canonical-address.js';
import { quotaAddress } from '../../../services/auth/address/quota-address.js';
import { isReadOnly } from '../../read-only.js';
import type { LimitStoreFactory } from './limit-store.js';
import { failureLimit, limiter, networkOf } from './limits.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Handlers that limit requests for links and their use (RATE-01). */
export interface SignInLimits {
  /**
   * For every route that sends an email. Returns the limits of the network, what reads the body, and the limits that need
   * its address, in this order: nothing is read of a network that is at its limit.
   */
  readonly signup: (readBody: RequestHandler) => readonly RequestHandler[];
  /** For every route that uses a link, before its body is read: counts failures. */
  readonly login: readonly RequestHandler[];
}

/**
 * The sandbox sends no email and has nothing to guess. Its limits do not disturb people who try it, but stop an endless
 * loop.
 */
const SANDBOX_FACTOR = 50;

/**
 * Creates limits per network, per address and in total. They count requests whether or not the address has an account,
 * and never block a link that has already been sent (RATE-02).
 *
 * @param canonical returns the address in the form sent upstream, or undefined if no email is sent to it
 * @param options `isSandbox`: whether the sandbox replaces Appwrite, which raises every limit 50-fold; `stores`: the
 * stores of the limits, in this process's memory by default; `clock`: milliseconds since the epoch, for tests
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
  const options = (name: string, limit: number, windowMs: number) => ({
    ...{ name, windowMs, stores, clock },
    limit: isSandbox ? limit * SANDBOX_FACTOR : limit,
  });
  // Made once: every route that sends an email counts together.
  const beforeBody = [
    limiter(options('network-minute', 5, MINUTE), networkOf),
    limiter(options('network-hour', 30, HOUR), networkOf),
  ];
  const afterBody = [
    limiter(options('address-minute', 1, MINUTE), addressOf),
    limiter(options('address-hour', 5, HOUR), addressOf),
    limiter(options('all-minute', 60, MINUTE), (request) => addressOf(request) && 'all'),
  ];
  const failuresOf = (request: Request): string | undefined =>
    usesNoLink(request) ? undefined : networkOf(request);
  return {
    signup: (readBody) => [...beforeBody, readBody, ...afterBody],
    login: [failureLimit(options('login-failures', 10, 15 * MINUTE), failuresOf)],
  };
}

/**
 * Whether the request uses no link: the page that asks for an address, and invisible loads, remain open to everybody.
 */
function usesNoLink(request: Request): boolean {
  return request.method !== 'POST' && (request.query.secret === undefined || isReadOnly(request));
}

/**
 * Returns a digest of the address, because a counter does not need the address itself. Text that is not an address, or
 * an address that may not sign in, sends no email and is counted only by network, so that a person who mistypes twice
 * still gets an explanation.
 */
function addressKey(
  request: Request,
  canonical: (address: string) => string | undefined,
): string | undefined {
  const { email } = (request.body ?? {}) as { readonly email?: unknown };
  const address = typeof email === 'string' ? readAddress(canonical(email)) : undefined;
  return address && createHash('sha256').update(quotaAddress(address)).digest('base64url');
}
