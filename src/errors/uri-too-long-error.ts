import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The URL is longer than this service takes. */
export class UriTooLongError extends CrfError {
  readonly code = 'uri_too_long';

  constructor(
    readonly limitBytes: number,
    options: CrfErrorOptions = {},
  ) {
    super(`The URL may have at most ${limitBytes} bytes. Ask for fewer fields or records at once.`, options);
  }
}
