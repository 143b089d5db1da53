import type { Response } from 'express';
import { RateLimitedError } from '../../errors/access-errors.js';

/** A limit, as reported to the caller. */
export interface ReportedLimit {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Milliseconds until the limit is reset. */
  readonly waitMs: number;
}

/** Sets `RateLimit` and `RateLimit-Policy` (RATE-05). @param left the calls left in this window @returns the wait in s */
export function setLimitHeaders(response: Response, limit: ReportedLimit, left: number): number {
  // Rounded up, because an earlier retry would be refused again.
  const seconds = Math.max(1, Math.ceil(limit.waitMs / 1000));
  response.setHeader('RateLimit-Policy', `"${limit.name}"; q=${limit.limit}; w=${limit.windowMs / 1000}`);
  response.setHeader('RateLimit', `"${limit.name}"; r=${Math.max(0, left)}; t=${seconds}`);
  return seconds;
}

/**
 * Refuses a call because of an exceeded limit.
 *
 * @throws {RateLimitedError} always, after setting `RateLimit` and `RateLimit-Policy` (RATE-05)
 */
export function refuseCall(response: Response, limit: ReportedLimit): never {
  throw new RateLimitedError(setLimitHeaders(response, limit, 0));
}
