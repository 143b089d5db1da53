import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** REDCap did not answer within the time limit of a stage. A read is worth retrying; a write may have happened. */
export class UpstreamTimeoutError extends CrfError {
  readonly code = 'upstream_timeout';
  override readonly isRetryable = true;

  /** @param phase what took too long; `queue`: waiting for a turn took the total time, and nothing was sent */
  constructor(
    readonly phase: 'connect' | 'first byte' | 'idle' | 'total' | 'queue',
    options: CrfErrorOptions = {},
  ) {
    super(`REDCap took too long (${phase}). Ask for less at once, or try again later.`, options);
  }
}
