import type { Logic } from '../../logic/builder.js';
import type { CallOptions, PartOptions } from './call-options.js';
import type { CsvDelimiter } from './csv-delimiter.js';
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
  /** Unique instrument names. Their fields are added to `fields`. */
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
export interface StreamRecordsOptions extends ExportRecordsOptions {
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
