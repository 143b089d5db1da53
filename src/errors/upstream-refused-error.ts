import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** REDCap answered 403: the token is unknown, or its user lacks a right. The operator has to act. */
export class UpstreamRefusedError extends CrfError {
  readonly code = 'upstream_refused';

  constructor(
    message = 'REDCap refused the token, or its user lacks the right. Check CAPTURE_API_TOKEN and the user rights.',
    options: CrfErrorOptions = {},
  ) {
    super(message, options);
  }
}
