import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** A request with the same Idempotency-Key is still running. Wait, then repeat it. */
export class IdempotencyKeyInUseError extends CrfError {
  readonly code = 'idempotency_key_in_use';
  override readonly isRetryable = true;

  constructor(options: CrfErrorOptions = {}) {
    super('A request with this Idempotency-Key is still running. Repeat it in a moment.', {
      retryAfterSeconds: 1,
      ...options,
    });
  }
}
