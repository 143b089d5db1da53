import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The session does not exist, or belongs to somebody else; the answer does not say which. */
export class SessionNotFoundError extends CrfError {
  readonly code = 'session_not_found';

  constructor(options: CrfErrorOptions = {}) {
    super('You have no such session.', options);
  }
}
