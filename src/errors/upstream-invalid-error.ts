import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** REDCap answered something that is not the answer asked for: HTML, nothing, an error text in a 200, a truncated body. */
export class UpstreamInvalidError extends CrfError {
  readonly code = 'upstream_invalid';

  constructor(message: string, options: CrfErrorOptions = {}) {
    super(message, options);
  }
}
