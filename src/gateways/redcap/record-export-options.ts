import * as z from 'zod';
import { argument, strictObject, type Shape } from '../../domain/identifiers/check-options.js';
import type { Logic } from '../../domain/logic/builder.js';
import { CALL, type CallOptions, type PartOptions } from './call-options.js';
import {
  aFunction,
  eventName,
  fieldName,
  flag,
  instrumentName,
  listed,
  moment,
  narrowing,
  narrowingLogic,
  notReversed,
  oneOf,
  recordId,
  wholeNumber,
} from './contents/argument-values.js';
import { CSV_DELIMITERS, type CsvDelimiter } from './csv-delimiter.js';
import type { GetRecordOptions } from './record-document.js';
import type { RecordRow } from './record-row.js';

/**
 * Selects what is exported and how it is written. Every option is optional; without any, everything is exported, raw
 * and flat. A list must contain at least one name and `filterLogic` must not be blank; otherwise an
 * `InvalidRequestError` names the option. A blank therefore never widens an export.
 */
export interface RecordSelection {
  /** Record ids. REDCap ignores unknown ones. */
  readonly records?: readonly string[] | undefined;
  /** Field names. The record id field is exported only if it is listed. */
  readonly fields?: readonly string[] | undefined;
  /** Unique instrument names. Their fields are added to `fields`; only the first has the record id field. */
  readonly forms?: readonly string[] | undefined;
  /** Unique event names, for longitudinal projects only. */
  readonly events?: readonly string[] | undefined;
  /** A condition in REDCap's logic syntax, such as `[age] >= 18`, or one that `where` builds. */
  readonly filterLogic?: string | Logic | undefined;
  /** `flat`: one row per record; `eav`: one row per value. */
  readonly type?: 'flat' | 'eav' | undefined;
  /** Whether choices are exported as codes or labels. */
  readonly rawOrLabel?: 'raw' | 'label' | undefined;
  /** Whether the header has names or labels. Flat CSV only. */
  readonly rawOrLabelHeaders?: 'raw' | 'label' | undefined;
  /**
   * With `rawOrLabel: 'label'`: exports a checkbox as the label of the choice, or blank, instead of `Checked` or
   * `Unchecked`.
   */
  readonly exportCheckboxLabel?: boolean | undefined;
  /** Adds the survey identifier and the survey timestamps. */
  readonly exportSurveyFields?: boolean | undefined;
  /** Adds `redcap_data_access_group`. */
  readonly exportDataAccessGroups?: boolean | undefined;
  /** Only records created or changed at this time or later: `YYYY-MM-DD HH:MM:SS` in the server's time zone. */
  readonly dateRangeBegin?: string | undefined;
  /** Only records created or changed at this time or earlier: `YYYY-MM-DD HH:MM:SS` in the server's time zone. */
  readonly dateRangeEnd?: string | undefined;
  /** CSV only. */
  readonly csvDelimiter?: CsvDelimiter | undefined;
  /** The decimal separator of numbers. By default numbers are exported as stored. */
  readonly decimalCharacter?: ',' | '.' | undefined;
  /** Exports the `_complete` status of instruments that were never saved as blank instead of `0`. */
  readonly exportBlankForGrayFormStatus?: boolean | undefined;
  /** Exports one column per checkbox field instead of one per choice. REDCap 16 and later. */
  readonly combineCheckboxOptions?: boolean | undefined;
}

/** The options of an export into memory. */
export interface ExportRecordsOptions extends RecordSelection, CallOptions {
  /** Returns only the first rows, 1 to 1,000,000. The rest of REDCap's answer is cancelled. */
  readonly limit?: number | undefined;
}

/** The options of an export as REDCap's own bytes. */
export interface OpenRecordsOptions extends RecordSelection, CallOptions, PartOptions {
  /** The format of the bytes. */
  readonly format: 'json' | 'csv';
}

/** The options of an export row by row, whole or in batches. */
export interface StreamRecordsOptions extends ExportRecordsOptions, PartOptions {
  /**
   * Records per batch. Without it the export is one call, which falls back to batches if REDCap cannot export
   * everything at once.
   */
  readonly batchSize?: number | undefined;
  /**
   * Batches in progress at the same time: 4 by default and at most, and never more than the client's concurrency limit
   * allows.
   */
  readonly concurrency?: number | undefined;
  /** Called after each batch. `total` is known only in batched exports. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

/** How far an export is: records and bytes so far. */
export interface ExportProgress {
  readonly records: number;
  readonly total?: number | undefined;
  readonly bytes: number;
}

type RowSelection = Pick<
  RecordSelection,
  | 'records'
  | 'events'
  | 'filterLogic'
  | 'exportDataAccessGroups'
  | 'exportBlankForGrayFormStatus'
  | 'dateRangeBegin'
  | 'dateRangeEnd'
>;

/** Options of an export of one instrument with typed values. */
export interface InstrumentRowsOptions
  extends RowSelection, CallOptions, Pick<StreamRecordsOptions, 'batchSize'> {
  /** Adds labels to codes. */
  readonly labels?: boolean | undefined;
  /** How a missing data code is represented: as `{ missing: 'UNK' }` (`code`, the default) or as null. */
  readonly missing?: 'code' | 'null' | undefined;
  /** Called for each value that does not match the type of its field. */
  readonly onMisfit?: ((row: RecordRow, column: string) => void) | undefined;
}

/** How rows are written. */
export const FORM = {
  rawOrLabel: oneOf('raw', 'label').optional(),
  rawOrLabelHeaders: oneOf('raw', 'label').optional(),
  exportCheckboxLabel: flag.optional(),
  csvDelimiter: oneOf(...(Object.keys(CSV_DELIMITERS) as CsvDelimiter[])).optional(),
  decimalCharacter: oneOf(',', '.').optional(),
};

const SELECTION = {
  ...FORM,
  records: narrowing(listed(recordId)).optional(),
  fields: narrowing(listed(fieldName)).optional(),
  forms: narrowing(listed(instrumentName)).optional(),
  events: narrowing(listed(eventName)).optional(),
  filterLogic: narrowingLogic.optional(),
  type: oneOf('flat', 'eav').optional(),
  exportSurveyFields: flag.optional(),
  exportDataAccessGroups: flag.optional(),
  dateRangeBegin: moment.optional(),
  dateRangeEnd: moment.optional(),
  exportBlankForGrayFormStatus: flag.optional(),
  combineCheckboxOptions: flag.optional(),
} satisfies Shape<RecordSelection>;

/** The most rows that a limit may be. */
export const MAX_FIRST_ROWS = 1_000_000;
/** The most records per batch. */
export const MAX_BATCH_SIZE = 10_000;
/** The most batches requested concurrently. */
export const MAX_CONCURRENCY = 4;

const upTo = (most: number) => wholeNumber(1, most, `must be a whole number from 1 to ${most}`);

const EXPORT = {
  ...SELECTION,
  ...CALL,
  limit: upTo(MAX_FIRST_ROWS).optional(),
} satisfies Shape<ExportRecordsOptions>;

const STREAM = {
  ...EXPORT,
  batchSize: upTo(MAX_BATCH_SIZE).optional(),
  concurrency: upTo(MAX_CONCURRENCY).optional(),
  onProgress: aFunction<StreamRecordsOptions['onProgress']>().optional(),
} satisfies Shape<StreamRecordsOptions>;

/** The formats of REDCap's bytes that are read. */
export const FORMAT = oneOf('json', 'csv');

const OPEN = { ...SELECTION, ...CALL, format: FORMAT } satisfies Shape<OpenRecordsOptions>;

/** How values are typed. */
const TYPED = {
  labels: flag.optional(),
  missing: oneOf('code', 'null').optional(),
  onMisfit: aFunction<InstrumentRowsOptions['onMisfit']>().optional(),
};

const ROWS = {
  ...CALL,
  ...TYPED,
  records: SELECTION.records,
  events: SELECTION.events,
  filterLogic: SELECTION.filterLogic,
  exportDataAccessGroups: SELECTION.exportDataAccessGroups,
  exportBlankForGrayFormStatus: SELECTION.exportBlankForGrayFormStatus,
  dateRangeBegin: SELECTION.dateRangeBegin,
  dateRangeEnd: SELECTION.dateRangeEnd,
  batchSize: STREAM.batchSize,
} satisfies Shape<InstrumentRowsOptions>;

const RECORD = {
  ...CALL,
  ...TYPED,
  fields: SELECTION.fields,
  forms: SELECTION.forms,
  events: SELECTION.events,
  exportDataAccessGroups: SELECTION.exportDataAccessGroups,
} satisfies Shape<GetRecordOptions>;

const inOrder = notReversed('dateRangeBegin', 'dateRangeEnd');

/** The arguments of the operations that export records. */
export const exportOptions = argument(
  'options',
  strictObject(EXPORT, 'an option').superRefine(inOrder).optional(),
);
export const streamOptions = argument(
  'options',
  strictObject(STREAM, 'an option').superRefine(inOrder).optional(),
);
export const openOptions = argument('options', strictObject(OPEN, 'an option').superRefine(inOrder));
/** The selection in a request, whatever else the request has. */
export const requestedSelection = argument('options', z.object(OPEN).superRefine(inOrder));
export const rowsOptions = argument(
  'options',
  strictObject(ROWS, 'an option').superRefine(inOrder).optional(),
);
export const recordOptions = argument('options', strictObject(RECORD, 'an option').optional());
