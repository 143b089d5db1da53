import {
  aBoolean,
  aFunction,
  aNumber,
  checkedLater,
  hasMethods,
  oneOf,
  optional,
  type OptionRules,
} from '../../errors/check-options.js';
import type { CallOptions, PartOptions } from './call-options.js';
import { CSV_DELIMITERS } from './csv-delimiter.js';
import type {
  ExportRecordsOptions,
  InstrumentRowsOptions,
  OpenRecordsOptions,
  RecordSelection,
  StreamRecordsOptions,
} from './record-export-options.js';
import type { GetRecordOptions } from './record-document.js';
import type {
  CheckedImportOptions,
  ImportDataOptions,
  ImportRecordsOptions,
} from './record-import-options.js';

/*
 * The rules of the options that several operations have. What decides which data is meant (names, ids, dates) is checked
 * by the operation itself, with the rule of its kind.
 */

const aText = optional((value) => typeof value === 'string', 'must be text');

/** The options of every call. `audit` is for the services, which take notes for the audit log. */
export const CALL = {
  signal: optional(
    (value) => hasMethods(value, 'addEventListener', 'removeEventListener'),
    'must be an AbortSignal',
  ),
  caller: aText,
  traceparent: aText,
  isContinuation: aBoolean,
  audit: optional((value) => hasMethods(value, 'add'), 'must take notes, with add'),
} satisfies OptionRules<keyof CallOptions | keyof PartOptions | 'audit'>;

/** How rows are written. */
export const FORM = {
  rawOrLabel: oneOf('raw', 'label'),
  rawOrLabelHeaders: oneOf('raw', 'label'),
  exportCheckboxLabel: aBoolean,
  csvDelimiter: oneOf(...Object.keys(CSV_DELIMITERS)),
  decimalCharacter: oneOf(',', '.'),
};

const SELECTION = {
  ...FORM,
  records: checkedLater,
  fields: checkedLater,
  forms: checkedLater,
  events: checkedLater,
  filterLogic: checkedLater,
  type: oneOf('flat', 'eav'),
  exportSurveyFields: aBoolean,
  exportDataAccessGroups: aBoolean,
  dateRangeBegin: checkedLater,
  dateRangeEnd: checkedLater,
  exportBlankForGrayFormStatus: aBoolean,
  combineCheckboxOptions: aBoolean,
} satisfies OptionRules<keyof RecordSelection>;

const FORMAT = optional((value) => value === 'json' || value === 'csv', 'must be json or csv');

export const EXPORT = {
  ...SELECTION,
  ...CALL,
  limit: checkedLater,
} satisfies OptionRules<keyof ExportRecordsOptions>;

export const STREAM = {
  ...EXPORT,
  batchSize: checkedLater,
  concurrency: checkedLater,
  onProgress: aFunction,
} satisfies OptionRules<keyof StreamRecordsOptions>;

export const OPEN = {
  ...SELECTION,
  ...CALL,
  format: { ...FORMAT, isOptional: false },
} satisfies OptionRules<keyof OpenRecordsOptions>;

/** How values are typed. */
const TYPED = {
  labels: aBoolean,
  missing: oneOf('code', 'null'),
  onMisfit: aFunction,
};

export const ROWS = {
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
} satisfies OptionRules<keyof InstrumentRowsOptions>;

export const RECORD = {
  ...CALL,
  ...TYPED,
  fields: SELECTION.fields,
  forms: SELECTION.forms,
  events: SELECTION.events,
  exportDataAccessGroups: SELECTION.exportDataAccessGroups,
} satisfies OptionRules<keyof GetRecordOptions>;

export const IMPORT = {
  ...CALL,
  type: SELECTION.type,
  overwriteBehavior: oneOf('normal', 'overwrite'),
  forceAutoNumber: aBoolean,
  dateFormat: oneOf('YMD', 'MDY', 'DMY'),
  returnContent: oneOf('count', 'ids', 'auto_ids'),
  backgroundProcess: aBoolean,
  isIdempotent: aBoolean,
} satisfies OptionRules<keyof ImportRecordsOptions>;

export const CHECKED_IMPORT = {
  ...IMPORT,
  check: aBoolean,
  dryRun: aBoolean,
  limits: oneOf('warn', 'refuse'),
  keepMisfits: aBoolean,
  recordIdMinLength: aNumber(1),
} satisfies OptionRules<keyof CheckedImportOptions>;

export const IMPORT_DATA = {
  ...IMPORT,
  format: OPEN.format,
  csvDelimiter: SELECTION.csvDelimiter,
} satisfies OptionRules<keyof ImportDataOptions>;
