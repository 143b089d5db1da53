import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** REDCap answered 400: a parameter of the call is not valid for this project. Correct the call; do not repeat it. */
export class UpstreamRejectedError extends CrfError {
  readonly code = 'upstream_rejected';

  constructor(message: string, options: CrfErrorOptions = {}) {
    super(message, options);
  }
}
