import { CancelledError } from '../../domain/errors/caller-errors.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import {
  ImportInterruptedError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../domain/errors/upstream-errors.js';

/**
 * Checks whether REDCap may have carried out a failed call: the request was sent, but its answer was lost or invalid.
 *
 * @param error the error of the call; `undefined` if there was none
 */
export function mayHaveArrived(error: unknown): boolean {
  if (error === undefined) return false;
  if (!(error instanceof CrfError) || error.isInDoubt) return true;
  if (error instanceof ImportInterruptedError) return error.isUncertain;
  if (error instanceof UpstreamUnavailableError) {
    return error.phase !== 'connect' && error.phase !== 'circuit open';
  }
  if (error instanceof UpstreamTimeoutError) return error.phase !== 'connect' && error.phase !== 'queue';
  return error instanceof UpstreamInvalidError || error instanceof CancelledError;
}
