import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The request cannot be read at all: broken JSON, CSV or percent-encoding. Mend its form, then send it again. */
export class MalformedRequestError extends CrfError {
  readonly code = 'malformed_request';

  constructor(message: string, options: CrfErrorOptions = {}) {
    super(message, options);
  }
}
