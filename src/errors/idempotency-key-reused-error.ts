import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** An Idempotency-Key was used before with another request. Use a new key for a new request. */
export class IdempotencyKeyReusedError extends CrfError {
  readonly code = 'idempotency_key_reused';

  constructor(options: CrfErrorOptions = {}) {
    super('This Idempotency-Key was used with another request. Send a new key.', options);
  }
}
