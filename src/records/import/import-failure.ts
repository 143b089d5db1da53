import { CrfError } from '../../domain/errors/crf-error.js';
import { isProblem } from '../../domain/errors/problem-error.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import {
  ImportIncompleteError,
  ImportInterruptedError,
  type CountedRecords,
  type RowRange,
} from '../../domain/errors/upstream-errors.js';
import { MalformedRequestError } from '../../domain/errors/caller-errors.js';
import { say } from '../../domain/errors/sentences.js';

/** How far an import got before it failed. */
export interface ImportProgress {
  /** Records that REDCap confirmed. */
  readonly stored: number;
  /** Calls that REDCap confirmed. */
  readonly batches: number;
  /** Index of the first unconfirmed row, from 0. */
  readonly confirmedRows: number;
  /** Rows that may have been stored, because the response to their call was lost. */
  readonly doubtful: readonly RowRange[];
  /** Confirmed rows after the first unconfirmed row. */
  readonly storedLater: readonly RowRange[];
}

/** Where an import stopped, as it is reported and stored. */
export interface Interruption extends Pick<
  ImportInterruptedError,
  'stored' | 'resumeFrom' | 'doubtful' | 'storedLater'
> {
  /** The counts of calls that REDCap did not confirm as they were sent. Absent if there were none. */
  readonly counts?: CountedRecords | undefined;
}

/**
 * Returns the error with which an import fails: the first error unchanged if nothing can have been stored, otherwise
 * one that states what was stored.
 *
 * @param errors the errors that stopped it; the first becomes the cause
 */
export function importFailure(errors: readonly unknown[], progress: ImportProgress): unknown {
  const { stored, batches, confirmedRows, doubtful, storedLater } = progress;
  if (batches === 0 && doubtful.length === 0) return errors[0];
  const counts = countsOf(errors);
  return interrupted({ stored, resumeFrom: confirmedRows, doubtful, storedLater, counts }, errors);
}

/**
 * Creates the error of an interrupted import. It names the rows in doubt, which a caller has to look up before sending
 * them again.
 */
export function interrupted(
  { stored, resumeFrom, doubtful, storedLater, counts }: Interruption,
  causes: readonly unknown[] = [],
): ImportInterruptedError {
  const retryAfterSeconds = longestRetryAfter(causes);
  const options = {
    doubtful,
    storedLater,
    errors: [
      ...distinct(causes.flatMap(reasonsOf)).slice(0, MAX_REASONS),
      ...doubtful.map((rows) => ({
        field: 'records',
        ...say(counts === undefined ? 'rows_doubtful' : 'rows_miscounted', numbersOf(rows)),
      })),
      ...storedLater.map((rows) => ({ field: 'records', ...say('rows_later', numbersOf(rows)) })),
    ],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    cause: causes[0],
  };
  return counts === undefined
    ? new ImportInterruptedError(stored, resumeFrom, options)
    : new ImportIncompleteError(stored, resumeFrom, counts, options);
}

function countsOf(errors: readonly unknown[]): CountedRecords | undefined {
  const counts = errors.filter((error) => error instanceof ImportIncompleteError);
  if (counts.length === 0) return undefined;
  return {
    sent: counts.reduce((sum, { sent }) => sum + sent, 0),
    counted: counts.reduce((sum, { counted }) => sum + counted, 0),
  };
}

function numbersOf({ from, to }: RowRange): { readonly first: number; readonly last: number } {
  return { first: from + 1, last: to };
}

function longestRetryAfter(errors: readonly unknown[]): number | undefined {
  const given = errors.flatMap((error) => (error instanceof CrfError ? (error.retryAfterSeconds ?? []) : []));
  return given.length === 0 ? undefined : Math.max(...given);
}

/** Removes duplicates: several calls may fail for the same reason. */
function distinct(reasons: readonly FieldProblem[]): FieldProblem[] {
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}

/** Returns why the import stopped. For a fault that the caller did not cause, only the kind is reported (ERR-02). */
function reasonsOf(error: unknown): readonly FieldProblem[] {
  if (!(error instanceof CrfError)) return [];
  if (error instanceof ImportIncompleteError)
    return [{ field: 'import', ...say('import_counted', { sent: error.sent, counted: error.counted }) }];
  if (error.errors.length > 0) return error.errors;
  if (error instanceof MalformedRequestError || isProblem(error, 'payload_too_large'))
    return [{ field: 'body', message: error.message }];
  return [{ field: 'import', ...say('import_stopped', { problem: error.code }) }];
}

const MAX_REASONS = 100;
