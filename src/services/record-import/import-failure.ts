import { CancelledError } from '../../errors/cancelled-error.js';
import { CrfError } from '../../errors/crf-error.js';
import type { FieldProblem } from '../../errors/field-problem.js';
import { ImportInterruptedError } from '../../errors/import-interrupted-error.js';
import { MalformedRequestError } from '../../errors/malformed-request-error.js';
import { UpstreamInvalidError } from '../../errors/upstream-invalid-error.js';
import { UpstreamTimeoutError } from '../../errors/upstream-timeout-error.js';
import { UpstreamUnavailableError } from '../../errors/upstream-unavailable-error.js';

/** How far an import had come when it failed. */
export interface ImportProgress {
  /** Records that REDCap confirmed. */
  readonly stored: number;
  /** Calls that REDCap confirmed. */
  readonly batches: number;
  /** The first row that is not confirmed, from 0. */
  readonly confirmedRows: number;
}

/**
 * What an import fails with: the error as it is when nothing can have been stored, else one that says what was.
 *
 * @param isFromCall whether a call to REDCap failed, and not the reading or checking of rows
 */
export function importFailure(error: unknown, progress: ImportProgress, isFromCall: boolean): unknown {
  const isUncertain = isFromCall && mayHaveStored(error);
  if (progress.batches === 0 && !isUncertain) return error;
  return new ImportInterruptedError(progress.stored, progress.confirmedRows, isUncertain, {
    errors: problemsOf(error),
    cause: error,
  });
}

/** Whether REDCap may have stored what a failed call sent: it was sent, and its answer was lost or is none. */
function mayHaveStored(error: unknown): boolean {
  if (error instanceof UpstreamUnavailableError) {
    return error.phase !== 'connect' && error.phase !== 'circuit open';
  }
  if (error instanceof UpstreamTimeoutError) return error.phase !== 'connect';
  if (error instanceof CrfError)
    return error instanceof UpstreamInvalidError || error instanceof CancelledError;
  return true;
}

function problemsOf(error: unknown): readonly FieldProblem[] {
  if (!(error instanceof CrfError)) return [];
  if (error instanceof MalformedRequestError) return [{ field: 'body', message: error.message }];
  return error.errors;
}
