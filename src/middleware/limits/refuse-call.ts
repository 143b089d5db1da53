import type { Response } from 'express';
import { RateLimitedError } from '../../errors/caller-errors.js';

/** What a refused caller learns about a limit. */
export interface UsedUpLimit {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Until there is something left again. */
  readonly waitMs: number;
}

/**
 * Refuses a call for a limit that is used up.
 *
 * @throws {RateLimitedError} always; `RateLimit` and `RateLimit-Policy` are set (RATE-05)
 */
export function refuseCall(response: Response, { name, limit, windowMs, waitMs }: UsedUpLimit): never {
  // Rounded up: who comes back earlier would be refused again.
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  response.setHeader('RateLimit-Policy', `"${name}"; q=${limit}; w=${windowMs / 1000}`);
  response.setHeader('RateLimit', `"${name}"; r=0; t=${seconds}`);
  throw new RateLimitedError(seconds);
}
