import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** A fault of this service. The log has it under the request id. */
export class InternalError extends CrfError {
  readonly code = 'internal_error';

  constructor(options: CrfErrorOptions = {}) {
    super('Something went wrong on our side. Quote the request id when you report it.', options);
  }
}
