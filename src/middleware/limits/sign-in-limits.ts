import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { isReadOnly } from '../read-only.js';
import { failureLimit } from './failure-limit.js';
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

/**
 * Limits per network, per address and over all. They count requests, whether or not the address has an account, and
 * never stand in the way of a link that was mailed already (RATE-02).
 *
 * @param canonical the address as it is sent upstream, or undefined when it is not one; a `+tag` is folded here
 */
export function createSignInLimits(canonical: (address: string) => string | undefined): SignInLimits {
  const addressOf = (request: Request): string => addressKey(request, canonical);
  return {
    signup: [
      limiter({ name: 'network-minute', limit: 5, windowMs: MINUTE, keyOf: networkOf }),
      limiter({ name: 'network-hour', limit: 30, windowMs: HOUR, keyOf: networkOf }),
      limiter({ name: 'address-minute', limit: 1, windowMs: MINUTE, keyOf: addressOf }),
      limiter({ name: 'address-hour', limit: 5, windowMs: HOUR, keyOf: addressOf }),
      limiter({ name: 'all-minute', limit: 60, windowMs: MINUTE, keyOf: () => 'all' }),
    ],
    login: [
      failureLimit({
        name: 'login-failures',
        limit: 10,
        windowMs: 15 * MINUTE,
        keyOf: networkOf,
        skip: usesNoLink,
      }),
    ],
  };
}

/** The page that asks for an address uses no link, nor does a load that nobody sees: both stay open to everybody. */
function usesNoLink(request: Request): boolean {
  return request.method !== 'POST' && (request.query.secret === undefined || isReadOnly(request));
}

/** The address is kept as a digest: a counter needs no address. What is not an address is counted by network alone. */
function addressKey(request: Request, canonical: (address: string) => string | undefined): string {
  const { email } = (request.body ?? {}) as { readonly email?: unknown };
  const address = typeof email === 'string' ? canonical(email) : undefined;
  if (address === undefined) return `no-address:${networkOf(request)}`;
  const folded = address.toLowerCase().replace(/\+[^@]*@/, '@'); // MAIL-09: one person's tags share one quota
  return createHash('sha256').update(folded).digest('base64url');
}
