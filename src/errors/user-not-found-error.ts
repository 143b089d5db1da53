import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** No user of the project has the address. */
export class UserNotFoundError extends CrfError {
  readonly code = 'user_not_found';

  constructor(options: CrfErrorOptions = {}) {
    super('No user of this project has this email address.', options);
  }
}
