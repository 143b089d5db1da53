import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The domain of an email address is not on the allow-list. */
export class DomainNotAllowedError extends CrfError {
  readonly code = 'domain_not_allowed';

  constructor(options: CrfErrorOptions = {}) {
    super('Addresses of this domain cannot sign in here. Use an address of an allowed domain.', options);
  }
}
