import type {
  ArmNumber,
  EventNameText,
  FieldNameText,
  FilterLogicText,
  InstrumentNameText,
  RecordIdText,
  ServerTimeText,
} from './parameters.js';

/** What stands in the rows of an export, and how. */
export interface RowsQuery {
  /** Only these fields. The id field is exported only when it is asked for. */
  fields?: FieldNameText[];
  /** Only the fields of these instruments, joined to `fields`. */
  forms?: InstrumentNameText[];
  /** Only these events; longitudinal projects. */
  events?: EventNameText[];
  /** `flat`: a row a record; `eav`: a row a value. `flat` by default. */
  type?: 'flat' | 'eav';
  /** Codes of choices, or their labels. `raw` by default. */
  rawOrLabel?: 'raw' | 'label';
  /** With labels: the label of a checked choice, or nothing, instead of `Checked` and `Unchecked`. */
  exportCheckboxLabel?: boolean;
  /** Adds the survey identifier and the survey time stamps. */
  exportSurveyFields?: boolean;
  /** Adds the data access group. */
  exportDataAccessGroups?: boolean;
  /** How numbers are written; as stored by default. */
  decimalCharacter?: ',' | '.';
  /** Form status of instruments that were never saved: empty instead of `0`. */
  exportBlankForGrayFormStatus?: boolean;
  /** One column a checkbox field. REDCap 16 and later. */
  combineCheckboxOptions?: boolean;
}

/** What of one record is read, and how. */
export interface RecordQuery extends RowsQuery {
  /** `rows`: as an export has them; `nested`: events, in each the instruments, in each what was entered. `rows` by default. */
  shape?: 'rows' | 'nested';
  /** `raw`: text, as REDCap has it; `typed`: numbers, booleans, lists, null, as in an export. `raw` by default. */
  values?: 'raw' | 'typed';
  /** Typed values only: codes as `{"code":"1","label":"Female"}`. */
  labels?: boolean;
  /** Typed values only: `code` gives `{"missing":"UNK"}` for a missing data code, `null` gives null. `code` by default. */
  missing?: 'code' | 'null';
}

/** Which records to export, and how. Nothing given exports everything. */
export interface RecordsSelectionQuery extends RowsQuery {
  /**
   * Only these records. Unknown ones are left out without an error. Commas do not split it, for an id may hold one: repeat it,
   * or put the ids in quotes, as in `"a","b"`.
   */
  records?: RecordIdText[];
  /** Only records for which this expression is true. Percent-encode it. */
  filterLogic?: FilterLogicText;
  /** Only records created or changed after this moment. */
  dateRangeBegin?: ServerTimeText;
  /** Only records created or changed before this moment. */
  dateRangeEnd?: ServerTimeText;
  /**
   * `raw`: text, as REDCap has it; `typed`: numbers, booleans, ISO 8601 dates and times, the codes of a checkbox field as one
   * list, null for nothing. What does not fit its type stays text, and is named in `misfits` behind the rows. `raw` by default.
   */
  values?: 'raw' | 'typed';
  /** Typed values only: codes as `{"code":"1","label":"Female"}`. */
  labels?: boolean;
  /** Typed values only: `code` gives `{"missing":"UNK"}` for a missing data code, `null` gives null. `code` by default. */
  missing?: 'code' | 'null';
  /** Names or labels in the header of a CSV. `raw` by default. */
  rawOrLabelHeaders?: 'raw' | 'label';
  /** What stands between the cells of a CSV; the comma by default. */
  csvDelimiter?: ',' | 'tab' | ';' | '|' | '^';
  /**
   * Records a call to REDCap. Without it the export is one call, and goes on in batches when REDCap cannot give it
   * whole.
   * @isInt
   * @minimum 1
   * @maximum 10000
   */
  batchSize?: number;
  /**
   * Only the first rows. REDCap's answer is cancelled after them.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @example 10
   */
  limit?: number;
  /** NDJSON only: a last line `{"_complete":true,"records":N}` shows that the export is complete. */
  trailer?: boolean;
  /**
   * CSV only: puts an apostrophe before cells that a spreadsheet would take for formulas; plain numbers stay. By default where
   * a browser downloads the CSV as a page; programs get REDCap's bytes as they are.
   */
  spreadsheetSafe?: boolean;
}

/** What to export with a URL. Nothing given exports everything. */
export interface ExportRecordsQuery extends RecordsSelectionQuery {
  /** What comes, instead of what `Accept` says: for links in a browser, which cannot choose it. */
  format?: 'json' | 'ndjson' | 'csv';
  /**
   * Records of a page. The selection must have the record id field. 100 by default where there is a cursor.
   * @isInt
   * @minimum 1
   * @maximum 1000
   */
  pageSize?: number;
  /**
   * Where the page before ended, as its `Link` has it.
   * @pattern ^[A-Za-z0-9_-]+$
   * @maxLength 4000
   */
  cursor?: string;
}

/** How to import. */
export interface ImportRecordsQuery {
  /** Checks everything and sends nothing. */
  dryRun?: boolean;
  /** `normal`: blank values change nothing; `overwrite`: blank values erase. `normal` by default. */
  overwriteBehavior?: 'normal' | 'overwrite';
  /** REDCap names the records; the ids given only group rows. */
  forceAutoNumber?: boolean;
  /** How dates are written; `YMD` by default. */
  dateFormat?: 'YMD' | 'MDY' | 'DMY';
  /** What is answered: the number of records, or their ids too. `auto_ids` needs `forceAutoNumber`. */
  returnContent?: 'count' | 'ids' | 'auto_ids';
  /** `flat`: a row a record; `eav`: a row a value. `flat` by default. */
  type?: 'flat' | 'eav';
  /** What stands between the cells of a CSV; recognised from its header by default. */
  csvDelimiter?: ',' | 'tab' | ';' | '|' | '^';
  /** What the body is written in; UTF-8 by default. */
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  /** REDCap imports later, and reports by email to the token's user. */
  backgroundProcess?: boolean;
}

/** What to export, where a URL cannot hold it: a thousand record ids, say. Nothing given exports everything. */
export interface QueryRecordsRequest extends RecordsSelectionQuery {
  /**
   * Only these records. Unknown ones are left out without an error.
   * @minItems 1
   * @example ["COHORT-2026-PARTICIPANT-0001"]
   */
  records?: RecordIdText[];
  /**
   * Only these fields. The id field is exported only when it is asked for.
   * @minItems 1
   * @example ["record_id", "age"]
   */
  fields?: FieldNameText[];
  /**
   * Only the fields of these instruments, joined to `fields`.
   * @minItems 1
   */
  forms?: InstrumentNameText[];
  /**
   * Only these events; longitudinal projects.
   * @minItems 1
   */
  events?: EventNameText[];
}

/** What of a record to delete; nothing given deletes all of it. */
export interface DeleteRecordQuery {
  /** Only in this arm; in all of them by default. */
  arm?: ArmNumber;
  /** Only the data of this instrument. A longitudinal project needs the event too. */
  instrument?: InstrumentNameText;
  /** Only the data of this event. */
  event?: EventNameText;
  /**
   * Only this instance of a repeating instrument or event.
   * @isInt
   * @minimum 1
   * @example 2
   */
  repeatInstance?: number;
  /** Whether the log forgets the record as well, where the project allows it. */
  deleteLogging?: boolean;
}

/** Records to delete. */
export interface DeleteRecordsRequest extends DeleteRecordQuery {
  /**
   * The ids. When one of them does not exist nothing is deleted.
   * @minItems 1
   * @example ["COHORT-2026-PARTICIPANT-0001"]
   */
  records: RecordIdText[];
}

/** How to rename a record. */
export interface RenameRecordRequest {
  /**
   * The new id; it follows this service's rule for new ids.
   * @example "COHORT-2026-PARTICIPANT-0251"
   */
  newName: RecordIdText;
  /** Only in this arm; in all of them by default. */
  arm?: ArmNumber;
}

/** How to randomize a record. */
export interface RandomizeRecordRequest {
  /**
   * The number of the randomization, as REDCap's randomization page shows it.
   * @isInt
   * @minimum 1
   * @example 1
   */
  randomizationId: number;
  /** Whether the randomization number is asked for too. */
  returnAlt?: boolean;
}
