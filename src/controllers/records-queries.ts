import type {
  ArmNumber,
  EventNameText,
  FieldNameText,
  FilterLogicText,
  InstrumentNameText,
  RecordIdText,
  ServerTimeText,
} from './wire-types.js';

/** The content and form of the exported rows. */
export interface RowsQuery {
  /** Only these fields. The record id field is exported only if it is listed. */
  fields?: FieldNameText[];
  /** Only the fields of these instruments, in addition to `fields`. The record id field is among them only for the first instrument. */
  forms?: InstrumentNameText[];
  /** Only these events. Longitudinal projects only. */
  events?: EventNameText[];
  /** `flat`: one row per record; `eav`: one row per value. `flat` by default. */
  type?: 'flat' | 'eav';
  /** Exports the codes of choices (`raw`) or their labels (`label`). `raw` by default. */
  rawOrLabel?: 'raw' | 'label';
  /**
   * With `rawOrLabel=label`: the label of a checked choice, or an empty value, instead of `Checked` and `Unchecked`.
   */
  exportCheckboxLabel?: boolean;
  /** Adds the survey identifier and the survey timestamps. */
  exportSurveyFields?: boolean;
  /** Adds the data access group. */
  exportDataAccessGroups?: boolean;
  /** The decimal separator of numbers; as stored by default. */
  decimalCharacter?: ',' | '.';
  /** Leaves the form status of instruments that were never saved empty instead of `0`. */
  exportBlankForGrayFormStatus?: boolean;
  /** Exports each checkbox field as one column. REDCap 16 or later. */
  combineCheckboxOptions?: boolean;
}

/** Which data of one record to read, and in which form. */
export interface RecordQuery extends RowsQuery {
  /** `rows`: as in an export; `nested`: events, their instruments, and the data entered in each. `rows` by default. */
  shape?: 'rows' | 'nested';
  /** `raw`: text, as in REDCap; `typed`: numbers, booleans, lists and null, as in an export. `raw` by default. */
  values?: 'raw' | 'typed';
  /** Typed values only: writes codes as `{"code":"1","label":"Female"}`. */
  labels?: boolean;
  /**
   * Typed values only: writes a missing data code as `{"missing":"UNK"}` (`code`) or as null (`null`). `code` by
   * default.
   */
  missing?: 'code' | 'null';
}

/** Which records to export, and how. Without options everything is exported. */
export interface RecordsSelectionQuery extends RowsQuery {
  /**
   * Only these records. Ids that do not exist are ignored. Because an id may contain a comma, commas do not separate
   * ids: repeat the parameter, or quote the ids, as in `"a","b"`.
   */
  records?: RecordIdText[];
  /** Only records for which this expression is true. In a URL it must be percent-encoded. */
  filterLogic?: FilterLogicText;
  /** Only records created or changed at this time or later. */
  dateRangeBegin?: ServerTimeText;
  /** Only records created or changed at this time or earlier. */
  dateRangeEnd?: ServerTimeText;
  /**
   * `raw`: text, as in REDCap; `typed`: numbers, booleans, ISO 8601 dates and times, the codes of a checkbox field as
   * one list, and null for an empty value. A value that does not fit its type stays text and is listed in `misfits`,
   * after the rows. `raw` by default.
   */
  values?: 'raw' | 'typed';
  /** Typed values only: writes codes as `{"code":"1","label":"Female"}`. */
  labels?: boolean;
  /**
   * Typed values only: writes a missing data code as `{"missing":"UNK"}` (`code`) or as null (`null`). `code` by
   * default.
   */
  missing?: 'code' | 'null';
  /** CSV only: field names (`raw`) or labels (`label`) in the header. `raw` by default. */
  rawOrLabelHeaders?: 'raw' | 'label';
  /** CSV only: the delimiter; a comma by default. */
  csvDelimiter?: ',' | 'tab' | ';' | '|' | '^';
  /**
   * The number of records per call to REDCap. Without it the export is a single call, and continues in batches if
   * REDCap cannot return it whole.
   * @isInt
   * @minimum 1
   * @maximum 10000
   */
  batchSize?: number;
  /**
   * Exports only this many rows, then cancels REDCap's response.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @example 10
   */
  limit?: number;
  /** NDJSON only: adds a last line `{"_complete":true,"records":N}`, which shows that the export is complete. */
  trailer?: boolean;
  /**
   * CSV only: puts an apostrophe before cells that a spreadsheet would treat as formulas; plain numbers are unchanged.
   * On by default when a browser downloads the CSV; programs get REDCap's bytes unchanged.
   */
  spreadsheetSafe?: boolean;
}

/** Which records to export with a URL. Without options everything is exported. */
export interface ExportRecordsQuery extends RecordsSelectionQuery {
  /** The format, in place of `Accept`: for links in a browser, which cannot set that header. */
  format?: 'json' | 'ndjson' | 'csv';
  /**
   * The number of records per page. The selection must include the record id field. 100 by default if `cursor` is
   * given.
   * @isInt
   * @minimum 1
   * @maximum 1000
   */
  pageSize?: number;
  /**
   * The end of the previous page, as given in its `Link` header.
   * @pattern ^[A-Za-z0-9_-]+$ must be the cursor of a Link header, unchanged
   * @maxLength 4000
   */
  cursor?: string;
}

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

/** How to import records. */
export interface ImportRecordsQuery {
  /** Checks everything without sending anything to REDCap. */
  dryRun?: boolean;
  /**
   * Compares the rows with what is stored, sends only the values that change, and returns them in `changes`, with the
   * old and the new values; with `dryRun` nothing is sent. Needs `records:read`.
   */
  changes?: boolean;
  /**
   * Reads the values back after they were sent, and returns in `verified` how many are stored, and which are not. Needs
   * `records:read`.
   */
  verify?: boolean;
  /** `existing`: refuses rows of records that the project does not have; `new`: rows of records that it has. */
  only?: 'existing' | 'new';
  /** `normal`: blank values change nothing; `overwrite`: blank values erase. `normal` by default. */
  overwriteBehavior?: 'normal' | 'overwrite';
  /** Lets REDCap assign the record ids. The ids sent only group rows. */
  forceAutoNumber?: boolean;
  /** The order of day, month and year in dates; `YMD` by default, and accepted with every order. */
  dateFormat?: 'YMD' | 'MDY' | 'DMY';
  /** The century of years of two digits, which are refused without it. */
  century?: 1900 | 2000;
  /**
   * What separates decimals in the numbers of the body. Thousands may be separated by the other character, blanks or
   * apostrophes. By default numbers must be as REDCap stores them.
   */
  decimalCharacter?: '.' | ',';
  /** What to return: the number of records, or also their ids. `auto_ids` requires `forceAutoNumber`. */
  returnContent?: 'count' | 'ids' | 'auto_ids';
  /** `flat`: one row per record; `eav`: one row per value. `flat` by default. */
  type?: 'flat' | 'eav';
  /** CSV only: the delimiter; detected from the header by default. */
  csvDelimiter?: ',' | 'tab' | ';' | '|' | '^';
  /**
   * A workbook only: the name of the sheet; the first by default.
   * @minLength 1
   * @maxLength 100
   */
  sheet?: string;
  /** The character encoding of the body; UTF-8 by default. */
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  /**
   * What happens to values outside the limits of their field. `warn`: they are stored, as in REDCap, and listed in
   * `warnings`; `refuse`: they are errors. `warn` by default.
   */
  limits?: 'warn' | 'refuse';
  /**
   * Sends values that do not fit their field as they are, and lists them in `warnings`. REDCap itself refuses most of
   * them.
   */
  keepMisfits?: boolean;
  /**
   * `label`: values are labels, as in an export with `rawOrLabel=label`, and become codes: choices, boxes (`Checked` and
   * `Unchecked`, or the label of the choice), form status, missing data codes, events, repeating instruments, data access
   * groups. A label that several choices have, and a code that is no label, are errors. `raw` by default.
   */
  rawOrLabel?: 'raw' | 'label';
  /**
   * CSV and workbooks: the header has labels, as in an export with `rawOrLabelHeaders=label`. A label that several fields
   * have is an error, unless the name of the field stands in its place. `raw` by default.
   */
  rawOrLabelHeaders?: 'raw' | 'label';
  /** Lets REDCap import later and report by email to the user of the API token. */
  backgroundProcess?: boolean;
  /**
   * `raw`: text, as in REDCap; `typed`: numbers, booleans, lists and null, as returned by an export with
   * `values=typed`, in JSON or NDJSON. `raw` by default.
   */
  values?: 'raw' | 'typed';
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

/** Which data of a record to delete. Without options the whole record is deleted. */
export interface DeleteRecordQuery {
  /** Only in this arm; in all arms by default. */
  arm?: ArmNumber;
  /** Only the data of this instrument. Longitudinal projects need the event too. */
  instrument?: InstrumentNameText;
  /** Only the data of this event. */
  event?: EventNameText;
  /**
   * Only this instance of a repeating instrument or event.
   * @isInt
   * @minimum 1
   */
  repeatInstance?: number;
  /** Also deletes the log history of the record, where the project allows it. */
  deleteLogging?: boolean;
}

/** Records to delete. */
export interface DeleteRecordsRequest extends DeleteRecordQuery {
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
  newName: RecordIdText;
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
