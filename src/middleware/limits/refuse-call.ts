import type { Response } from 'express';
import { RateLimitedError } from '../../errors/caller-errors.js';

/** The exceeded limit, as reported to the caller. */
export interface UsedUpLimit {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Milliseconds until the limit is reset. */
  readonly waitMs: number;
}

/**
 * Refuses a call because of an exceeded limit.
 *
 * @throws {RateLimitedError} always, after setting `RateLimit` and `RateLimit-Policy` (RATE-05)
 */
export function refuseCall(response: Response, { name, limit, windowMs, waitMs }: UsedUpLimit): never {
  // Rounded up, because an earlier retry would be refused again.
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  response.setHeader('RateLimit-Policy', `"${name}"; q=${limit}; w=${windowMs / 1000}`);
  response.setHeader('RateLimit', `"${name}"; r=0; t=${seconds}`);
  throw new RateLimitedError(seconds);
}
