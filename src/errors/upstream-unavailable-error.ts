import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** REDCap could not be reached, broke the connection, or answered 5xx. A read is worth retrying; a write may have happened. */
export class UpstreamUnavailableError extends CrfError {
  readonly code = 'upstream_unavailable';
  override readonly isRetryable = true;

  constructor(
    readonly phase: 'connect' | 'first byte' | 'body' | 'server error' | 'circuit open',
    options: CrfErrorOptions = {},
  ) {
    super(`REDCap did not answer (${phase}). Check CAPTURE_API_URL, then try again.`, options);
  }
}
