import { CrfError } from '../../errors/crf-error.js';
import type { FieldProblem } from '../../errors/field-problem.js';
import { ImportInterruptedError } from '../../errors/import-interrupted-error.js';
import { MalformedRequestError } from '../../errors/malformed-request-error.js';
import { PayloadTooLargeError } from '../../errors/payload-too-large-error.js';
import { PROBLEMS } from '../../errors/problem-table.js';
import { mayHaveArrived } from '../../gateways/redcap/may-have-arrived.js';

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
  const isUncertain = isFromCall && mayHaveArrived(error);
  if (progress.batches === 0 && !isUncertain) return error;
  return interrupted(progress.stored, progress.confirmedRows, isUncertain, reasonsOf(error), error);
}

/** The failure, with a word on the records that it left in doubt: a caller has to look before sending them again. */
export function interrupted(
  stored: number,
  resumeFrom: number,
  isUncertain: boolean,
  reasons: readonly FieldProblem[] = [],
  cause?: unknown,
): ImportInterruptedError {
  const doubt = { field: 'records', message: `from number ${resumeFrom + 1} on ${DOUBT}` };
  const { retryAfterSeconds } = cause instanceof CrfError ? cause : {};
  return new ImportInterruptedError(stored, resumeFrom, isUncertain, {
    errors: isUncertain ? [...reasons, doubt] : reasons,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    cause,
  });
}

const DOUBT = 'may have been stored too, at most one batch of them: the answer of REDCap was lost';

/** Why it stopped. Of a fault that is not the caller's own only the kind is told (ERR-02). */
function reasonsOf(error: unknown): readonly FieldProblem[] {
  if (!(error instanceof CrfError)) return [];
  if (error.errors.length > 0) return error.errors;
  if (error instanceof MalformedRequestError || error instanceof PayloadTooLargeError) {
    return [{ field: 'body', message: error.message }];
  }
  return [{ field: 'import', message: `stopped: ${PROBLEMS[error.code].title}` }];
}
