import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** An identifier breaks its rule. Correct the value that the sentence names. */
export class InvalidIdentifierError extends CrfError {
  readonly code = 'invalid_identifier';

  /** @param subject what was read, as the start of a sentence: `A record id`
   * @param rule the end of that sentence: `has 20 to 100 characters`
   */
  constructor(subject: string, rule: string, options: CrfErrorOptions = {}) {
    super(`${subject} ${rule}.`, options);
  }
}
