import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The request names a host that this service does not answer for. */
export class UnexpectedHostError extends CrfError {
  readonly code = 'unexpected_host';

  constructor(options: CrfErrorOptions = {}) {
    super(
      'An open service answers on this machine alone: ask for localhost, or set API_KEYS or ALLOW_ANONYMOUS.',
      options,
    );
  }
}
