import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** An export was read more slowly than the service allows, and its connection was closed: REDCap would have had to wait. */
export class SlowReaderError extends CrfError {
  readonly code = 'slow_reader';

  constructor(options: CrfErrorOptions = {}) {
    super('The export was read too slowly. Read it faster, or ask for less at once.', options);
  }
}
