import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** One address leads to several user ids: guessing would give one person another's data. */
export class AmbiguousUserError extends CrfError {
  readonly code = 'ambiguous_user';

  constructor(options: CrfErrorOptions = {}) {
    super('Several users of this project have this email address. Make it unique in REDCap.', options);
  }
}
