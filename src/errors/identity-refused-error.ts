import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The identity backend refused this service: key, scopes, project or allowed hosts are wrong. The operator has to act. */
export class IdentityRefusedError extends CrfError {
  readonly code = 'identity_refused';

  constructor(
    message = 'The identity backend refused this service. Check APPWRITE_* and the scopes of the API key.',
    options: CrfErrorOptions = {},
  ) {
    super(message, options);
  }
}
