import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The caller cancelled the call through its AbortSignal. */
export class CancelledError extends CrfError {
  readonly code = 'cancelled';

  constructor(options: CrfErrorOptions = {}) {
    super('The call was cancelled by its signal.', options);
  }
}
