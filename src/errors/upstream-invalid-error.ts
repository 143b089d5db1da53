import { CrfError, type CrfErrorOptions } from './crf-error.js';

export interface UpstreamInvalidErrorOptions extends CrfErrorOptions {
  /** REDCap ran out of memory: the same in smaller parts may work. */
  readonly isOutOfMemory?: boolean;
}

/** REDCap answered something that is not the answer asked for: HTML, nothing, an error text in a 200, a truncated body. */
export class UpstreamInvalidError extends CrfError {
  readonly code = 'upstream_invalid';
  readonly isOutOfMemory: boolean;

  constructor(message: string, { isOutOfMemory = false, ...options }: UpstreamInvalidErrorOptions = {}) {
    super(message, options);
    this.isOutOfMemory = isOutOfMemory;
  }
}
