import { CSV_DELIMITERS, type CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';
import { ROW_FORMATS } from '../../records/formats/row-format.js';
import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { ENCODING_OPTION, JSON_ON_STDOUT } from '../options/output-options.js';
import { isWorkbookName } from '../../records/import/workbook/workbook-name.js';
import { importFormat } from '../options/file-format.js';
import { checkWholeNumbers, MAX_INTEGER } from '../options/whole-number.js';

const args = {
  file: {
    type: 'string',
    demandOption: true,
    describe: 'JSON (a list, or records in an object), NDJSON, CSV, or a workbook (.xlsx); - for stdin',
  },
  format: { choices: ROW_FORMATS, describe: 'Default: from the file extension' },
  sheet: { type: 'string', requiresArg: true, describe: 'The sheet of a workbook; default: the first' },
  'dry-run': {
    type: 'boolean',
    default: false,
    describe: 'Validate, and warn of likely mistakes; send nothing',
  },
  diff: {
    type: 'boolean',
    default: false,
    describe: 'Show what would change, with old and new values; ask on a terminal whether to store that',
  },
  yes: {
    type: 'boolean',
    default: false,
    alias: 'y',
    describe: 'With --diff: store what changes without asking, and show it',
  },
  'on-conflict': {
    choices: ['theirs', 'ours', 'fail'],
    describe:
      'With --diff, for values that somebody changed since they were shown: leave and list them, replace them, or stop; default: theirs',
  },
  verify: {
    type: 'boolean',
    default: false,
    describe: 'Read every value back after it was sent, and list those that are not stored',
  },
  'diff-csv': {
    type: 'string',
    requiresArg: true,
    describe: 'Write every change to this file, as CSV, and store nothing; - for stdout',
  },
  'only-existing': {
    type: 'boolean',
    default: false,
    describe: 'Refuse the file if it would create a record',
  },
  'only-new': {
    type: 'boolean',
    default: false,
    describe: 'Refuse the file if one of its records exists',
  },
  'force-auto-number': {
    type: 'boolean',
    default: false,
    describe:
      'Let REDCap number the records, which are all new; ids in the file only say which rows belong together',
  },
  undo: {
    type: 'string',
    requiresArg: true,
    describe:
      'Keep what is replaced in this file, for crf undo, or go on with the import that it belongs to; default: a new file beside the input; --no-undo keeps nothing',
  },
  overwrite: { type: 'boolean', default: false, describe: 'Let blank values erase stored ones' },
  'batch-size': { type: 'number', describe: 'Rows per call to REDCap; default: IMPORT_CHUNK_ROWS' },
  type: { choices: ['flat', 'eav'], describe: 'flat: a row per record; eav: a row per value' },
  values: {
    choices: ['raw', 'typed'],
    describe: 'typed: JSON or NDJSON of crf export --values typed; default: raw',
  },
  delimiter: {
    choices: Object.keys(CSV_DELIMITERS) as CsvDelimiter[],
    describe: 'CSV delimiter; detected by default',
  },
  ...ENCODING_OPTION,
  'date-format': {
    choices: ['YMD', 'MDY', 'DMY'],
    describe: 'Order of day, month and year in dates, with dots, slashes or hyphens; default: YMD',
  },
  century: {
    choices: [1900, 2000],
    describe: 'Century of years of two digits, which are refused without it',
  },
  decimal: {
    choices: ['.', ','],
    describe:
      'Decimal character of numbers, whose thousands may be separated; default: as REDCap stores them',
  },
  limits: {
    choices: ['warn', 'refuse'],
    describe: 'Values outside the limits of their field; default: warn, and store them as REDCap does',
  },
  'keep-misfits': {
    type: 'boolean',
    default: false,
    describe: 'Send values that do not fit their field as they are, with a warning',
  },
  label: {
    type: 'boolean',
    default: false,
    describe: 'Values are labels, as in crf export --label, with or without --checkbox-labels',
  },
  'header-labels': {
    type: 'boolean',
    default: false,
    describe:
      'The header has labels, as in crf export --header-labels; with --label: what crf export --excel wrote',
  },
  'from-row': {
    type: 'number',
    describe: 'First row to import, from 1: go on where an import failed',
  },
  report: {
    type: 'string',
    requiresArg: true,
    describe: 'Write all problems to this file, as CSV; - for stdout',
  },
  ...JSON_ON_STDOUT,
} as const;

export type ImportArguments = ArgumentsOf<typeof args>;

export const importCommand = defineCommand({
  name: 'import',
  describe: 'Import records from a file or stdin (-), validated against the data dictionary',
  args,
  positionals: ['file'],
  examples: [
    ['$0 import records.csv --dry-run', 'Validate a file without sending it'],
    ['$0 import records.csv --dry-run --report problems.csv', 'List every problem'],
    ['$0 import visits.csv --diff --verify', 'See what would change, store that, and read it back'],
    ['$0 import visits.csv --date-format DMY --decimal ,', 'As in 31.12.2026 and 1.234,5'],
    ['$0 import visits.csv --undo visits.undo', 'Keep what is replaced there; after a failure: go on'],
    ['$0 import rows.ndjson --values typed', 'Import numbers, booleans, lists and null'],
    ['$0 import - --format ndjson < records.ndjson', 'Import from another program'],
  ],
  epilogue:
    'An import that fits in one call to REDCap is stored completely or not at all; for larger ones the summary says what was stored. What is replaced is kept in an undo file, unless the project is the sandbox. Exit codes: 0 success, 1 refused, 2 usage, 3 credentials refused, 4 unreachable or timed out, 5 stored, but not all: a value differs, or somebody changed it meanwhile, 130 interrupted.',
  check: ({ file, format, ...values }) => {
    importFormat(format, String(file));
    if (!isWorkbookName(String(file))) {
      if (values.sheet !== undefined) throw new Error('--sheet is for a workbook (.xlsx)');
    } else if ([values.delimiter, values.encoding, values.values].some((option) => option !== undefined))
      throw new Error('--delimiter, --encoding and --values cannot be combined with a workbook');
    if ((values.label || values.headerLabels) && values.values === 'typed')
      throw new Error('--label and --header-labels are for raw values');
    if (values.headerLabels && values.type === 'eav')
      throw new Error('--header-labels cannot be combined with --type eav');
    if (values.onlyExisting && values.onlyNew)
      throw new Error('--only-existing and --only-new cannot be combined: no record is both.');
    if (values.forceAutoNumber) refuseWithAutoNumber(values);
    if (values.json && (values.diffCsv === '-' || values.report === '-'))
      throw new Error('--json cannot be combined with a report on stdout: name a file for it.');
    if (values.report === '-' && (values.diff || values.diffCsv === '-'))
      throw new Error('--report - cannot be combined with changes on stdout: name a file for it.');
    if (values.yes && (!values.diff || values.dryRun || values.diffCsv !== undefined))
      throw new Error('--yes needs --diff, without --dry-run or --diff-csv.');
    if (
      values.onConflict !== undefined &&
      (!values.diff || values.yes || values.dryRun || values.json || values.diffCsv !== undefined)
    )
      throw new Error('--on-conflict is for --diff, where it asks whether to store what was shown.');
    if (values.verify && values.dryRun)
      throw new Error(
        '--verify cannot be combined with --dry-run: nothing is stored that could be read back.',
      );
    if (values.diff && values.diffCsv === '-')
      throw new Error('--diff cannot be combined with --diff-csv -: both write to stdout.');
    checkWholeNumbers(values, { '--batch-size': 100_000, '--from-row': MAX_INTEGER });
  },
  handler: async (options) => {
    const { runImport } = await import('./import-action.js');
    return runImport({ ...options, format: importFormat(options.format, options.file) });
  },
});

/** REDCap says the numbers of new records only afterwards, so that there is nothing to compare or to keep before. */
function refuseWithAutoNumber(values: Readonly<Record<string, unknown>>): void {
  const option = ['diff', 'diff-csv', 'only-existing', 'only-new', 'verify', 'undo'].find(
    (name) => values[name] !== undefined && values[name] !== false,
  );
  if (option !== undefined)
    throw new Error(`--${option} cannot be combined with --force-auto-number: every record is new then.`);
}
