import { CancelledError } from '../../errors/cancelled-error.js';
import { CrfError } from '../../errors/crf-error.js';
import { UpstreamInvalidError } from '../../errors/upstream-invalid-error.js';
import { UpstreamTimeoutError } from '../../errors/upstream-timeout-error.js';
import { UpstreamUnavailableError } from '../../errors/upstream-unavailable-error.js';

/**
 * Whether REDCap may have done what a failed call asked for: it was sent, and its answer was lost or is none.
 *
 * @param error what the call failed with; `undefined` when there was none
 */
export function mayHaveArrived(error: unknown): boolean {
  if (error === undefined) return false;
  if (!(error instanceof CrfError) || error.isInDoubt) return true;
  if (error instanceof UpstreamUnavailableError) {
    return error.phase !== 'connect' && error.phase !== 'circuit open';
  }
  if (error instanceof UpstreamTimeoutError) return error.phase !== 'connect' && error.phase !== 'queue';
  return error instanceof UpstreamInvalidError || error instanceof CancelledError;
}
