import { CancelledError } from '../../errors/caller-errors.js';
import { CrfError } from '../../errors/crf-error.js';
import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../errors/upstream-errors.js';

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
