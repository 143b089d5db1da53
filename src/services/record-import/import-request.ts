import type { RecordProblem } from '../../errors/field-problem.js';
import type { CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';
import type { RowFormat } from '../row-output/row-format.js';
import type { InputEncoding } from './decode-input.js';
import type { IgnoredColumn } from './ignored-columns.js';
import type { InputName } from './input-errors.js';
import type { RepeatedRow } from './row-keys.js';
import type { ImportWarningList } from './warnings/import-warning.js';

/** How an import is read and stored. */
export interface ImportRequest {
  /** The form of the body. */
  readonly format: RowFormat;
  /** Checks everything and sends nothing. */
  readonly dryRun?: boolean | undefined;
  /** `normal`: blank values are ignored; `overwrite`: blank values erase. */
  readonly overwriteBehavior?: 'normal' | 'overwrite' | undefined;
  /** REDCap names the records; the ids given only group rows. Such an import is never repeated on its own, and has at most a million records. */
  readonly forceAutoNumber?: boolean | undefined;
  /** How dates are written; `YMD` by default. */
  readonly dateFormat?: 'YMD' | 'MDY' | 'DMY' | undefined;
  /** What is answered: the number of records, or, of at most a million, their ids too. `auto_ids` needs `forceAutoNumber`. */
  readonly returnContent?: 'count' | 'ids' | 'auto_ids' | undefined;
  /** `flat`: a row a record; `eav`: a row a value. */
  readonly type?: 'flat' | 'eav' | undefined;
  /** REDCap imports later, and reports by email. */
  readonly backgroundProcess?: boolean | undefined;
  /** What stands between the cells of a CSV; recognised from its header by default. */
  readonly csvDelimiter?: CsvDelimiter | undefined;
  /** UTF-8 by default. */
  readonly encoding?: InputEncoding | undefined;
  /** What messages call the input; `body` by default. */
  readonly inputName?: InputName | undefined;
}

/** What an import stored. */
export interface ImportOutcome {
  /**
   * Records stored, or, with `dryRun`, records that are valid. A record counts once, wherever its rows stand; behind the
   * first million records, once for each call that has rows of it.
   */
  readonly count: number;
  /** With `returnContent` `ids` or `auto_ids`. Absent when the answer is the repetition of an earlier one. */
  readonly ids?: readonly string[];
  /** Calls to REDCap; with `dryRun` those it would take. */
  readonly batches: number;
  readonly dryRun?: true;
  /** The columns that were left out, because no import can store them. Absent when there are none. */
  readonly ignored?: readonly IgnoredColumn[];
  /** Rows for a record, event and instance that an earlier row is for, too: the later value stands. Absent when there are none. */
  readonly repeated?: RepeatedRows;
  /** With `dryRun`: what is likely a mistake, and would be stored all the same. Absent when nothing was noticed. */
  readonly warnings?: ImportWarningList;
}

/** Rows that an earlier row of the same input is for, too. */
export interface RepeatedRows {
  /** How many there are among the first million rows. */
  readonly count: number;
  /** The first of them, at most a hundred. Absent when the answer is the repetition of an earlier one. */
  readonly rows?: readonly RepeatedRow[];
}

/** The rules of imports. */
export interface ImportLimits {
  /** The least length of a record id; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
  /** Rows of one call to REDCap; 1000 by default. */
  readonly chunkRows?: number | undefined;
  /** Bytes of one call to REDCap; 4 MiB by default. A row is refused that is larger, or has more than 1 MiB. */
  readonly chunkBytes?: number | undefined;
  /**
   * Calls to REDCap that one import may have under way at once; 4 by default. Those beside the first are shared by all imports
   * that run.
   */
  readonly concurrency?: number | undefined;
  /** Bytes of one import; 1 GiB by default. */
  readonly limitBytes?: number | undefined;
}

/** Called with each problem, beyond those that the error at the end lists. An import with one reads on to its end. */
export type ProblemListener = (problem: RecordProblem) => void;

export const DEFAULT_CHUNK_ROWS = 1000;
export const DEFAULT_IMPORT_CONCURRENCY = 4;
export const DEFAULT_CHUNK_BYTES = 4 * 1024 * 1024;
export const DEFAULT_LIMIT_BYTES = 1024 * 1024 * 1024;
