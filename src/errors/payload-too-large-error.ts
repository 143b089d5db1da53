import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The body is larger than this route takes. */
export class PayloadTooLargeError extends CrfError {
  readonly code = 'payload_too_large';

  constructor(
    readonly limitBytes: number,
    options: CrfErrorOptions = {},
  ) {
    super(`The body may have at most ${limitBytes} bytes. Send it in parts.`, options);
  }
}
