import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The caller sent too many requests. `retryAfterSeconds` says when to go on. */
export class RateLimitedError extends CrfError {
  readonly code = 'rate_limited';
  override readonly isRetryable = true;

  constructor(retryAfterSeconds: number, options: CrfErrorOptions = {}) {
    super(`Too many requests. Try again in ${retryAfterSeconds} seconds.`, { ...options, retryAfterSeconds });
  }
}
