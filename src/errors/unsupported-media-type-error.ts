import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The body has a media type this route does not read. */
export class UnsupportedMediaTypeError extends CrfError {
  readonly code = 'unsupported_media_type';

  constructor(
    readonly supported: readonly string[],
    options: CrfErrorOptions = {},
  ) {
    super(`Send the body as ${supported.join(' or ')}.`, options);
  }
}
