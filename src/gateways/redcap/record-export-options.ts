import * as z from 'zod';
import {
  argument,
  strictObject,
  type OrUndefined,
  type Shape,
} from '../../domain/identifiers/check-options.js';
import type { MomentText } from '../../domain/dictionary/server-time.js';
import type { Logic } from '../../domain/logic/builder.js';
import { CALL, type CallOptions, type PartOptions } from './call-options.js';
import {
  aFunction,
  eventName,
  fieldName,
  flag,
  instrumentName,
  listed,
  inPeriod,
  anyText,
  narrowing,
  narrowingLogic,
  oneOf,
  recordId,
  wholeNumber,
} from './contents/argument-values.js';
import type { EventNameText, FieldNameText, InstrumentNameText } from '../../domain/identifiers/names.js';
import { CSV_DELIMITERS, type CsvDelimiter } from './csv-delimiter.js';
import type { RecordRow } from './record-row.js';

/** How the values of rows are written. */
export interface ValueForm {
  /** Exports the codes of choices (`raw`) or their labels (`label`). `raw` by default. */
  readonly rawOrLabel?: 'raw' | 'label';
  /**
   * With `rawOrLabel=label`: the label of a checked choice, or an empty value, instead of `Checked` and `Unchecked`.
   */
  readonly exportCheckboxLabel?: boolean;
  /** The decimal separator of numbers; as stored by default. */
  readonly decimalCharacter?: ',' | '.';
}

/** How rows are written as CSV. */
export interface CsvForm {
  /** CSV only: field names (`raw`) or labels (`label`) in the header. `raw` by default. */
  readonly rawOrLabelHeaders?: 'raw' | 'label';
  /** CSV only: the delimiter; a comma by default. */
  readonly csvDelimiter?: CsvDelimiter;
}

/** The content and form of the exported rows. */
export interface RowSelection extends ValueForm {
  /** Only these fields. The record id field is exported only if it is listed. */
  readonly fields?: readonly FieldNameText[];
  /** Only the fields of these instruments, in addition to `fields`. The record id field is among them only for the first instrument. */
  readonly forms?: readonly InstrumentNameText[];
  /** Only these events. Longitudinal projects only. */
  readonly events?: readonly EventNameText[];
  /** `flat`: one row per record; `eav`: one row per value. `flat` by default. */
  readonly type?: 'flat' | 'eav';
  /** Adds the survey identifier and the survey timestamps. */
  readonly exportSurveyFields?: boolean;
  /** Adds the data access group. */
  readonly exportDataAccessGroups?: boolean;
  /** Leaves the form status of instruments that were never saved empty instead of `0`. */
  readonly exportBlankForGrayFormStatus?: boolean;
  /** Exports each checkbox field as one column. REDCap 16 or later. */
  readonly combineCheckboxOptions?: boolean;
}

/** When the exported records were created or changed. */
export interface ChangeRange {
  /** Only records created or changed from this time on. */
  readonly from?: MomentText;
  /** Only records created or changed up to this time. */
  readonly until?: MomentText;
}

/** How typed values are written. */
export interface TypedForm {
  /** Typed values only: writes codes as `{"code":"1","label":"Female"}`. */
  readonly labels?: boolean;
  /**
   * Typed values only: writes a missing data code as `{"missing":"UNK"}` (`code`) or as null (`null`). `code` by
   * default.
   */
  readonly missing?: 'code' | 'null';
}

/**
 * Selects what is exported and how it is written. Every option is optional; without any, everything is exported, raw
 * and flat. A list must contain at least one name and `filterLogic` must not be blank; otherwise an
 * `InvalidRequestError` names the option. A blank therefore never widens an export.
 */
export interface RecordSelection
  extends OrUndefined<RowSelection>, OrUndefined<CsvForm>, OrUndefined<ChangeRange> {
  /** Record ids. REDCap ignores unknown ones. */
  readonly records?: readonly string[] | undefined;
  /** A condition in REDCap's logic syntax, such as `[age] >= 18`, or one that `where` builds. */
  readonly filterLogic?: string | Logic | undefined;
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

/** Selects which parts of a record are read. */
export interface GetRecordOptions
  extends
    OrUndefined<Pick<RowSelection, 'fields' | 'forms' | 'events' | 'exportDataAccessGroups'>>,
    OrUndefined<TypedForm>,
    CallOptions {
  /** Called for each value that does not match the type of its field. */
  readonly onMisfit?: ((row: RecordRow, column: string) => void) | undefined;
}

/** Options of an export of one instrument with typed values. */
export interface InstrumentRowsOptions
  extends
    Pick<
      RecordSelection,
      keyof ChangeRange | 'records' | 'events' | 'filterLogic' | 'exportDataAccessGroups'
    >,
    Pick<StreamRecordsOptions, 'exportBlankForGrayFormStatus' | 'batchSize'>,
    OrUndefined<TypedForm>,
    CallOptions {
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

/** Which rows and columns are exported, however they are written. */
export const CHOICE = {
  records: narrowing(listed(recordId)).optional(),
  fields: narrowing(listed(fieldName)).optional(),
  forms: narrowing(listed(instrumentName)).optional(),
  events: narrowing(listed(eventName)).optional(),
  filterLogic: narrowingLogic.optional(),
  exportSurveyFields: flag.optional(),
  exportDataAccessGroups: flag.optional(),
  from: anyText.optional(),
  until: anyText.optional(),
  exportBlankForGrayFormStatus: flag.optional(),
};

/** What REDCap is told of an export, under its own names. */
export const SELECTION = {
  ...FORM,
  ...CHOICE,
  type: oneOf('flat', 'eav').optional(),
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
  from: SELECTION.from,
  until: SELECTION.until,
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

/** The arguments of the operations that export records. */
export const exportOptions = argument(
  'options',
  strictObject(EXPORT, 'an option').transform(inPeriod).optional(),
);
export const streamOptions = argument(
  'options',
  strictObject(STREAM, 'an option').transform(inPeriod).optional(),
);
export const openOptions = argument('options', strictObject(OPEN, 'an option').transform(inPeriod));
/** The selection in a request, whatever else the request has. */
export const requestedSelection = argument('options', z.object(OPEN).transform(inPeriod));
export const rowsOptions = argument(
  'options',
  strictObject(ROWS, 'an option').transform(inPeriod).optional(),
);
export const recordOptions = argument('options', strictObject(RECORD, 'an option').optional());
