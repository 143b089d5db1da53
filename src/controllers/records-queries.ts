import type {
  EventNameText,
  FieldNameText,
  FilterLogicText,
  InstrumentNameText,
  RecordIdText,
  ServerTimeText,
} from './parameters.js';

/** What to export. Nothing given exports everything. */
export interface ExportRecordsQuery {
  /** Only these records. Unknown ones are left out without an error. */
  records?: RecordIdText[];
  /** Only these fields. The id field is exported only when it is asked for. */
  fields?: FieldNameText[];
  /** Only the fields of these instruments, joined to `fields`. */
  forms?: InstrumentNameText[];
  /** Only these events; longitudinal projects. */
  events?: EventNameText[];
  /** Only records for which this expression is true. Percent-encode it. */
  filterLogic?: FilterLogicText;
  /**
   * `raw`: text, as REDCap has it; `typed`: numbers, booleans, ISO 8601 dates and times, the codes of a checkbox field as one
   * list, null for nothing. What does not fit its type stays text, and is named in `misfits` behind the rows. `raw` by default.
   */
  values?: 'raw' | 'typed';
  /** Typed values only: codes as `{"code":"1","label":"Female"}`. */
  labels?: boolean;
  /** Typed values only: `code` gives `{"missing":"UNK"}` for a missing data code, `null` gives null. `code` by default. */
  missing?: 'code' | 'null';
  /** `flat`: a row a record; `eav`: a row a value. `flat` by default. */
  type?: 'flat' | 'eav';
  /** Codes of choices, or their labels. `raw` by default. */
  rawOrLabel?: 'raw' | 'label';
  /** Names or labels in the header of a CSV. `raw` by default. */
  rawOrLabelHeaders?: 'raw' | 'label';
  /** With labels: the label of a checked choice, or nothing, instead of `Checked` and `Unchecked`. */
  exportCheckboxLabel?: boolean;
  /** Adds the survey identifier and the survey time stamps. */
  exportSurveyFields?: boolean;
  /** Adds the data access group. */
  exportDataAccessGroups?: boolean;
  /** Only records created or changed after this moment. */
  dateRangeBegin?: ServerTimeText;
  /** Only records created or changed before this moment. */
  dateRangeEnd?: ServerTimeText;
  /** What stands between the cells of a CSV; the comma by default. */
  csvDelimiter?: ',' | 'tab' | ';' | '|' | '^';
  /** How numbers are written; as stored by default. */
  decimalCharacter?: ',' | '.';
  /** Form status of instruments that were never saved: empty instead of `0`. */
  exportBlankForGrayFormStatus?: boolean;
  /** One column a checkbox field. REDCap 16 and later. */
  combineCheckboxOptions?: boolean;
  /**
   * Records a call to REDCap. Without it the export is one call, and goes on in batches when REDCap cannot give it
   * whole.
   * @isInt
   * @minimum 1
   * @maximum 10000
   */
  batchSize?: number;
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
  /**
   * Only the first rows. REDCap's answer is cancelled after them.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @example 10
   */
  limit?: number;
  /** NDJSON only: a last line `{"_complete":true,"records":N}` tells a whole export from one that broke off. */
  trailer?: boolean;
  /**
   * CSV only: puts an apostrophe before cells that a spreadsheet would take for formulas; plain numbers stay. By default where
   * a browser downloads the CSV as a page; programs get REDCap's bytes as they are.
   */
  spreadsheetSafe?: boolean;
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
