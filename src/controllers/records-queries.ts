import type { EventNameText, FieldNameText, InstrumentNameText } from '../domain/identifiers/names.js';
import type { RecordIdText } from '../domain/identifiers/record-id.js';
import type {
  ArmNumber,
  ChangeRange,
  CsvForm,
  FilterLogicText,
  RecordPart,
  RowSelection,
  TypedForm,
} from '../gateways/redcap/crf-client.js';
import type { LimitQuery, PageQuery } from '../records/export/page-query.js';
import type { ValueOptions } from '../records/typed/typed-exporter.js';
import type { FormatQuery, RowsQuery } from './record-formats.js';

/** Which data of one record to read, and in which form. */
export interface RecordQuery extends RowSelection, TypedForm {
  /** `rows`: as in an export; `nested`: events, their instruments, and the data entered in each. `rows` by default. */
  shape?: 'rows' | 'nested';
  /** `raw`: text, as in REDCap; `typed`: numbers, booleans, lists and null, as in an export. `raw` by default. */
  values?: 'raw' | 'typed';
}

/** Which records to export, and how. Without options everything is exported. */
export interface RecordsSelectionQuery
  extends RowSelection, CsvForm, ChangeRange, ValueOptions, LimitQuery, RowsQuery {
  /**
   * Only these records. Ids that do not exist are ignored. Because an id may contain a comma, commas do not separate
   * ids: repeat the parameter, or quote the ids, as in `"a","b"`.
   */
  records?: RecordIdText[];
  /** Only records for which this expression is true. In a URL it must be percent-encoded. */
  filterLogic?: FilterLogicText;
  /**
   * The number of records per call to REDCap. Without it the export is a single call, and continues in batches if
   * REDCap cannot return it whole.
   * @isInt
   * @minimum 1
   * @maximum 10000
   */
  batchSize?: number;
}

/** Which records to export with a URL. Without options everything is exported. */
export interface ExportRecordsQuery extends RecordsSelectionQuery, FormatQuery, PageQuery {}

/** Which export to describe: what chooses its rows and columns. */
export interface ManifestQuery {
  /** Only these fields. The record id field is exported only if it is listed. */
  fields?: FieldNameText[];
  /** Only the fields of these instruments, in addition to `fields`. */
  forms?: InstrumentNameText[];
  /** Only these events. Longitudinal projects only. */
  events?: EventNameText[];
  /** `flat`: one row per record; `eav`: one row per value. `flat` by default. */
  type?: 'flat' | 'eav';
  /** Only these records, by the ids that the caller sees, as in an export. */
  records?: RecordIdText[];
  /** Only records for which this expression is true. In a URL it must be percent-encoded. */
  filterLogic?: FilterLogicText;
}

/**
 * Which records to export when a URL cannot hold the query, such as a thousand record ids. Without options everything
 * is exported.
 */
export interface QueryRecordsRequest extends RecordsSelectionQuery {
  /**
   * Only these records. Ids that do not exist are ignored.
   * @minItems 1
   * @example ["COHORT-2026-PARTICIPANT-0001"]
   */
  records?: RecordIdText[];
  /**
   * Only these fields. The record id field is exported only if it is listed.
   * @minItems 1
   * @example ["record_id", "age"]
   */
  fields?: FieldNameText[];
  /**
   * Only the fields of these instruments, in addition to `fields`. The record id field is among them only for the first instrument.
   * @minItems 1
   */
  forms?: InstrumentNameText[];
  /**
   * Only these events. Longitudinal projects only.
   * @minItems 1
   */
  events?: EventNameText[];
}

/** Records to delete. */
export interface DeleteRecordsRequest extends RecordPart {
  /**
   * The record ids. If one of them does not exist, nothing is deleted.
   * @minItems 1
   * @example ["COHORT-2026-PARTICIPANT-0250"]
   */
  records: RecordIdText[];
}

/** How to change a record. */
export interface ChangeRecordQuery {
  /** Reads the values back after they were sent, and returns in `verified` what of them is stored. */
  verify?: boolean;
  /**
   * What happens if somebody has changed the record since it was read. `fail`: nothing is stored if its `ETag` is not
   * that of `If-Match`; `fields`: nothing is stored if one of the values to be stored is not that of `seen`, while
   * changes of other fields merge; `theirs`: such values stay as they are, and are listed in `conflicts`; `ours`: they
   * are replaced. `fail` by default.
   */
  onConflict?: 'fail' | 'fields' | 'theirs' | 'ours';
}

/** The values to change. */
export interface ChangeRecordRequest {
  /**
   * Rows as in an import, one for each event and repeat instance, with the columns to change. The record id may be left
   * out. Null and blanks erase.
   * @minItems 1
   * @maxItems 1000
   * @example [{ "age": "43" }]
   */
  rows: ChangedRow[];
  /**
   * For `onConflict=fields` and `onConflict=theirs`: the rows as `GET` returned them, with at least the columns of
   * `rows`. A place without a row was empty.
   * @minItems 1
   * @maxItems 1000
   */
  seen?: ChangedRow[];
}

/** Some columns of one row of a record: text, numbers, true and false for boxes, null to erase. */
export interface ChangedRow {
  // A union would be coerced: null would become 0.
  [column: string]: unknown;
}

/** How to rename a record. */
export interface RenameRecordRequest {
  /**
   * The new id. It must follow this service's rule for new ids.
   * @example "COHORT-2026-PARTICIPANT-0251"
   */
  newRecord: RecordIdText;
  /** Only in this arm; in all arms by default. */
  arm?: ArmNumber;
}

/** How to randomize a record. */
export interface RandomizeRecordRequest {
  /**
   * The number of the randomization, as shown on REDCap's randomization page.
   * @isInt
   * @minimum 1
   * @example 1
   */
  randomizationId: number;
  /** Also returns the randomization number. */
  returnAlt?: boolean;
}
