import type { Response } from 'express';
import { RateLimitedError } from '../../../domain/errors/access-errors.js';

/** A limit, as reported to the caller. */
export interface ReportedLimit {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Milliseconds until the limit is reset. */
  readonly waitMs: number;
}

/**
 * Adds a limit to `RateLimit` and `RateLimit-Policy` (RATE-05), and refuses the call if it exceeds the limit.
 *
 * @param hits the calls in this window, including this one
 * @throws {RateLimitedError} there are more than the limit
 */
export function judgeCount(response: Response, limit: ReportedLimit, hits: number): void {
  // Rounded up, because an earlier retry would be refused again.
  const seconds = Math.max(1, Math.ceil(limit.waitMs / 1000));
  const left = Math.max(0, limit.limit - hits);
  response.appendHeader('RateLimit-Policy', `"${limit.name}"; q=${limit.limit}; w=${limit.windowMs / 1000}`);
  response.appendHeader('RateLimit', `"${limit.name}"; r=${left}; t=${seconds}`);
  if (hits > limit.limit) throw new RateLimitedError(seconds);
}
