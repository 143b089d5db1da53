import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import type { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { refusal } from '../../domain/errors/refusal.js';
import type { RecordProblem } from '../../domain/errors/field-problem.js';
import type {
  CheckForm,
  IgnoredColumn,
  ImportComparison,
  RepeatedRow,
  StoringForm,
} from '../../gateways/redcap/crf-client.js';
import type { CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';
import type { RowFormat } from '../formats/row-format.js';
import type { TextEncoding } from '../../domain/bytes/decode-text.js';
import type { InputName } from './input-errors.js';
import type { ImportWarningList } from './warnings/import-warning.js';
import type { ReaderPaceOptions } from '../streaming/reader-pace.js';

/** How the input of an import is read. */
export interface InputForm {
  /**
   * CSV and workbooks: the header has labels, as in an export with `rawOrLabelHeaders=label`. A label that several fields
   * have is an error, unless the name of the field stands in its place. `raw` by default.
   */
  readonly rawOrLabelHeaders?: 'raw' | 'label';
  /** CSV only: the delimiter; detected from the header by default. */
  readonly csvDelimiter?: CsvDelimiter;
  /** The character encoding of the body; UTF-8 by default. */
  readonly encoding?: TextEncoding;
  /**
   * `raw`: text, as in REDCap; `typed`: numbers, booleans, lists and null, as returned by an export with
   * `values=typed`, in JSON or NDJSON. `raw` by default.
   */
  readonly values?: 'raw' | 'typed';
}

/** Options of an import: how the input is read, and how it is stored. */
export interface ImportRequest
  extends OrUndefined<StoringForm>, OrUndefined<CheckForm>, OrUndefined<InputForm> {
  /** The format of the body. */
  readonly format: RowFormat;
  /** The number of the first row to import, from 1. Rows before it are read, but neither checked nor sent. */
  readonly fromRow?: number | undefined;
  /** What error messages call the input; `body` by default. */
  readonly inputName?: InputName | undefined;
}

/** How to import records. */
export interface SentImportOptions extends StoringForm, CheckForm, InputForm {
  /**
   * A workbook only: the name of the sheet; the first by default.
   * @minLength 1
   * @maxLength 100
   */
  readonly sheet?: string;
}

/** A request for an import whose body may be a workbook. */
export interface SentImportRequest extends OrUndefined<SentImportOptions>, Omit<ImportRequest, 'format'> {
  readonly format: RowFormat | 'xlsx';
}

/** The result of an import. */
export interface ImportOutcome extends ImportComparison {
  /**
   * The number of records stored or, with `dryRun`, the number of valid records. A record with several rows counts
   * once.
   * @isInt
   */
  readonly count: number;
  /** The ids of the records, if requested. */
  readonly ids?: readonly string[];
  /**
   * The number of calls to REDCap; with `dryRun`, the number it would take.
   * @isInt
   */
  readonly batches: number;
  /** Columns that were ignored because no import can store them. */
  readonly ignored?: readonly IgnoredColumn[];
  /** Rows for the same record, event and instance as an earlier row of the body. The later value wins. */
  readonly repeated?: RepeatedRows;
  /**
   * What was not checked, because the token of the service may not read what that needs: whether the places of the rows
   * (events, instruments, repeat instances) exist, or their data access groups. Absent if all was.
   */
  readonly notChecked?: readonly ('places' | 'dags')[];
  /**
   * Data that is likely a mistake but is stored anyway: values outside the limits of their field, and misfits that were
   * kept. With `dryRun`, for callers who also have `records:read`, also hidden values and empty required fields. Absent
   * if there is none.
   */
  readonly warnings?: ImportWarningList;
}

/** Rows that repeat an earlier row. */
export interface RepeatedRows {
  /**
   * The number of such rows among the first million rows.
   * @isInt
   */
  readonly count: number;
  /** The first of them, at most 100. A replayed response has none. */
  readonly rows?: readonly RepeatedRow[];
}

/** Limits of imports. */
export interface ImportLimits {
  /** Minimum length of the id of a new record, unless the project numbers its records; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
  /** Rows per call to REDCap; 1000 by default. */
  readonly batchSize?: number | undefined;
  /** Bytes per call to REDCap; 4 MiB by default. A row that is larger, or larger than 1 MiB, is refused. */
  readonly chunkBytes?: number | undefined;
  /** Concurrent calls to REDCap per import; 4 by default. Those beyond the first are shared by all running imports. */
  readonly concurrency?: number | undefined;
  /** Bytes per import; 1 GiB by default. */
  readonly limitBytes?: number | undefined;
  /** How long `verify` waits for a value to appear, in milliseconds, where a replica may be late; 6 s by default. */
  readonly graceMs?: number | undefined;
  /** The minimum speed of the sender; none by default. */
  readonly pace?: ReaderPaceOptions | undefined;
}

/**
 * Called for each problem, including those that the final error does not list. With a listener an import is read to its
 * end.
 */
export type ProblemListener = (problem: RecordProblem) => void;

export const DEFAULT_BATCH_SIZE = 1000;
export const DEFAULT_IMPORT_CONCURRENCY = 4;
export const DEFAULT_CHUNK_BYTES = 4 * 1024 * 1024;
export const DEFAULT_GRACE_MS = 6_000;
export const DEFAULT_LIMIT_BYTES = 1024 * 1024 * 1024;

/**
 * Refuses options that cannot be combined.
 *
 * @throws {InvalidRequestError} names the option
 */
export function checkOptions(request: ImportRequest): void {
  const { returnContent, forceAutoNumber, csvDelimiter, format, changes, verify, only } = request;
  const comparison = changes ? 'changes' : verify ? 'verify' : only && 'only';
  const delayed = request.dryRun ? 'dryRun' : request.backgroundProcess ? 'backgroundProcess' : undefined;
  if (forceAutoNumber && comparison !== undefined)
    throw refusal(comparison, 'cannot be combined with forceAutoNumber: every record is new then');
  if (verify && delayed !== undefined)
    throw refusal(
      'verify',
      `cannot be combined with ${delayed}: nothing is stored yet that could be read back`,
    );
  if (returnContent === 'auto_ids' && !forceAutoNumber)
    throw refusal('returnContent', 'auto_ids needs forceAutoNumber');
  if (csvDelimiter !== undefined && format !== 'csv') throw refusal('csvDelimiter', 'needs a CSV body');
  if (request.rawOrLabelHeaders === 'label' && request.type === 'eav')
    throw refusal('rawOrLabelHeaders', 'must be raw for EAV');
  if (request.values === 'typed') checkTypedOptions(request);
}

/** Refuses options that concern text only. */
function checkTypedOptions({
  format,
  type,
  dateFormat = 'YMD',
  decimalCharacter,
  ...others
}: ImportRequest): void {
  for (const field of ['rawOrLabel', 'rawOrLabelHeaders'] as const)
    if (others[field] === 'label') throw refusal(field, 'must be raw for typed values');
  if (format === 'csv') throw refusal('values', 'must be raw for CSV: typed values need JSON or NDJSON');
  if (type === 'eav') throw refusal('type', 'must be flat for typed values');
  if (dateFormat !== 'YMD') throw refusal('dateFormat', 'must be YMD for typed values');
  if (decimalCharacter !== undefined) throw refusal('decimalCharacter', 'is not for typed values');
}

/** Creates the error for an unknown property. Its name is repeated only if it looks like a property name. */
export function unknownOption(name: string, advice = ''): InvalidRequestError {
  const field = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name) ? name : 'a property beside records';
  return refusal(field, `is not a property of an import${advice}`);
}
