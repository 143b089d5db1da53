import { CSV_DELIMITERS, type CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';
import { ROW_FORMATS } from '../../records/formats/row-format.js';
import type { ArgumentsOf } from '../command.js';
import type { Combination } from './combinations.js';
import { choice, flag, needed, number, value } from './option.js';
import { ENCODING_OPTION, JSON_ON_STDOUT } from './shared-options.js';

/** The options of `crf import`. */
export const importArgs = {
  file: needed('JSON (a list, or records in an object), NDJSON, CSV, or a workbook (.xlsx); - for stdin'),
  format: choice('Default: from the file extension', ROW_FORMATS),
  sheet: value('The sheet of a workbook; default: the first'),
  'dry-run': flag('Validate, and warn of likely mistakes; send nothing'),
  diff: flag('Show what would change, with old and new values; ask on a terminal whether to store that'),
  yes: flag('With --diff: store what changes without asking, and show it', { alias: 'y' }),
  'on-conflict': choice(
    'With --diff, for values that somebody changed since they were shown: leave and list them, replace them, or stop; default: theirs',
    ['theirs', 'ours', 'fail'],
  ),
  verify: flag('Read every value back after it was sent, and list those that are not stored'),
  'diff-csv': value('Write every change to this file, as CSV, and store nothing; - for stdout'),
  only: choice(
    'Refuse the file if it would create a record (existing), or if one of its records exists (new)',
    ['existing', 'new'],
  ),
  'force-auto-number': flag(
    'Let REDCap number the records, which are all new; ids in the file only say which rows belong together',
  ),
  undo: value(
    'Keep what is replaced in this file, for crf undo, or go on with the import that it belongs to; default: a new file beside the input; --no-undo keeps nothing',
  ),
  'overwrite-behavior': choice('overwrite: let blank values erase stored ones; default: normal', [
    'normal',
    'overwrite',
  ]),
  'batch-size': number('Rows per call to REDCap; default: IMPORT_BATCH_SIZE'),
  type: choice('flat: a row per record; eav: a row per value', ['flat', 'eav']),
  values: choice('typed: JSON or NDJSON of crf export --values typed; default: raw', ['raw', 'typed']),
  'csv-delimiter': choice(
    'CSV delimiter; detected by default',
    Object.keys(CSV_DELIMITERS) as CsvDelimiter[],
  ),
  ...ENCODING_OPTION,
  'date-format': choice(
    'Order of day, month and year in dates, with dots, slashes or hyphens; default: YMD',
    ['YMD', 'MDY', 'DMY'],
  ),
  century: choice('Century of years of two digits, which are refused without it', [1900, 2000]),
  'decimal-character': choice(
    'Decimal character of numbers, whose thousands may be separated; default: as REDCap stores them',
    ['.', ','],
  ),
  limits: choice('Values outside the limits of their field; default: warn, and store them as REDCap does', [
    'warn',
    'refuse',
  ]),
  'keep-misfits': flag('Send values that do not fit their field as they are, with a warning'),
  'raw-or-label': choice(
    'label: values are labels, as in crf export --raw-or-label label, with or without --export-checkbox-label; default: raw',
    ['raw', 'label'],
  ),
  'raw-or-label-headers': choice(
    'label: the header has labels; with --raw-or-label label: what crf export --excel wrote; default: raw',
    ['raw', 'label'],
  ),
  'from-row': number('First row to import, from 1: go on where an import failed'),
  report: value('Write all problems to this file, as CSV; - for stdout'),
  ...JSON_ON_STDOUT,
} as const;

export type ImportArguments = ArgumentsOf<typeof importArgs>;

/** Which of the options exclude each other, or need each other. */
export const IMPORT_COMBINATIONS: readonly Combination[] = [
  { option: ['raw-or-label=label', 'raw-or-label-headers=label'], not: 'values=typed' },
  { option: 'raw-or-label-headers=label', not: 'type=eav' },
  {
    // REDCap says the numbers of new records only afterwards: there is nothing to compare or to keep before.
    option: ['diff', 'diff-csv', 'only', 'verify', 'undo'],
    not: 'force-auto-number',
    why: 'every record is new then',
  },
  { option: 'json', not: ['diff-csv=-', 'report=-'], why: 'name a file for the report' },
  { option: 'report=-', not: ['diff', 'diff-csv=-'], why: 'name a file for the report' },
  { option: 'diff', not: 'diff-csv=-', why: 'both write to stdout' },
  { option: ['yes', 'on-conflict'], needs: 'diff' },
  { option: 'yes', not: ['dry-run', 'diff-csv'] },
  {
    option: 'on-conflict',
    not: ['yes', 'dry-run', 'json', 'diff-csv'],
    why: 'it is for --diff, where it asks whether to store what was shown',
  },
  { option: 'verify', not: 'dry-run', why: 'nothing is stored that could be read back' },
];
