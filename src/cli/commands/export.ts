import type { RowFormat } from '../../records/formats/row-format.js';
import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { exportFormat } from '../options/file-format.js';
import { outputFile } from '../options/hyphens.js';
import { refuseBlanks } from '../options/list-option.js';
import { completeFileOption } from '../options/output-options.js';
import { checkCsvOptions, exportFormatOption, rawValueOptions } from '../options/row-options.js';
import { checkWholeNumbers } from '../options/whole-number.js';

const args = {
  format: {
    ...exportFormatOption,
    choices: [...exportFormatOption.choices, 'dataset-json'],
    describe: `${exportFormatOption.describe}; dataset-json is CDISC Dataset-JSON 1.1, with --instrument`,
  },
  fields: {
    type: 'string',
    array: true,
    describe: 'Only these fields, and the record id',
  },
  forms: {
    type: 'string',
    array: true,
    describe: 'Only the fields of these instruments and the record id, in addition to --fields',
  },
  records: { type: 'string', array: true, describe: 'Only these records' },
  events: { type: 'string', array: true, describe: 'Only these events' },
  filter: { type: 'string', describe: 'Only records for which this filter logic is true' },
  since: {
    type: 'string',
    describe: 'Only records created or changed at this time or later: YYYY-MM-DD HH:MM:SS, server time',
  },
  until: { type: 'string', describe: 'Only records created or changed at this time or earlier' },
  type: { choices: ['flat', 'eav'], describe: 'flat: a row per record; eav: a row per value' },
  instrument: { type: 'string', describe: 'Only the rows of this instrument, with its columns alone' },
  values: {
    choices: ['raw', 'typed'],
    default: 'raw',
    describe: 'Text as REDCap has it, or numbers, booleans, lists and null',
  },
  labels: { type: 'boolean', default: false, describe: 'With typed values: codes with their labels' },
  missing: {
    choices: ['code', 'null'],
    describe: 'With typed values: missing data codes as {"missing": …} (code) or as null; default: code',
  },
  ...rawValueOptions,
  'survey-fields': { type: 'boolean', default: false, describe: 'Add survey identifiers and timestamps' },
  dags: { type: 'boolean', default: false, describe: 'Add data access groups' },
  'blank-unsaved-status': {
    type: 'boolean',
    default: false,
    describe: 'Leave the form status of instruments that were never saved blank, instead of 0',
  },
  'combine-checkboxes': {
    type: 'boolean',
    default: false,
    describe: 'One column per checkbox field (REDCap 16 or later)',
  },
  trailer: {
    type: 'boolean',
    default: false,
    describe: 'Add a last line that shows that the export is complete (NDJSON)',
  },
  'batch-size': {
    type: 'number',
    describe: 'Records per call to REDCap; default: everything in one call',
  },
  limit: { type: 'number', describe: 'Only this many rows from the beginning' },
  as: {
    type: 'string',
    requiresArg: true,
    describe: 'Only what this caller of the service sees under its policy: key:NAME or session:ADDRESS',
  },
  policy: { type: 'string', requiresArg: true, describe: 'The policy file for --as; by default POLICY_FILE' },
  manifest: {
    type: 'string',
    requiresArg: true,
    describe: 'With --as: write to this file what de-identification did to which columns',
  },
  workbook: {
    type: 'string',
    requiresArg: true,
    conflicts: [
      'output',
      'fields',
      'instrument',
      'format',
      'type',
      'delimiter',
      'decimal',
      'limit',
      'missing',
    ],
    describe: 'Write a workbook (.xlsx) with a sheet for each instrument and a codebook; held in memory',
  },
  output: completeFileOption('export'),
  resume: {
    type: 'boolean',
    default: false,
    describe: 'Resume an interrupted export to the same file (NDJSON)',
  },
  force: { type: 'boolean', default: false, describe: 'Replace FILE and any partial FILE.part' },
} as const;

export type ExportArguments = ArgumentsOf<typeof args>;

export const exportCommand = defineCommand({
  name: 'export',
  describe: 'Export any number of records to a file or to stdout',
  args,
  examples: [
    ['$0 export --fields age --filter "[age] >= 18" --format csv', 'Selected fields of adults'],
    ['$0 export --forms demographics --label -o demographics.csv', 'One instrument, with labels'],
    ['$0 export --instrument demographics --values typed', 'Its rows alone, with typed values'],
    ['$0 export --instrument demographics --format dataset-json', 'The same for CDISC tools'],
    ['$0 export -o all.ndjson --batch-size 500', 'Everything, in batches'],
    ['$0 export --excel -o study.csv', 'A table for a spreadsheet, with labels'],
    ['$0 export --workbook study.xlsx', 'A sheet for each instrument, and a codebook'],
    [
      '$0 export --as key:stats -o stats.csv --manifest stats.json',
      'A de-identified table, and its manifest',
    ],
  ],
  epilogue:
    'Until the export is complete, the file is named FILE.part and only you can read it. Exit codes: 0 success, 1 failed, 2 usage, 3 credentials refused, 4 unreachable or timed out, 130 interrupted.',
  check: ({ fields, forms, records, events, filter, ...options }) => {
    const { resume, output, limit, instrument } = options;
    refuseBlanks({ fields, forms, records, events }, filter);
    if (instrument !== undefined && (fields ?? forms) !== undefined)
      throw new Error('--instrument cannot be combined with --fields or --forms');
    const inWorkbook = NOT_IN_A_WORKBOOK.find((name) => options[name] === true || options[name] === 'typed');
    if (options.workbook !== undefined && inWorkbook !== undefined)
      throw new Error(`--workbook has raw values of whole instruments: leave out --${inWorkbook}`);
    if (options.format === 'dataset-json') refuseInDataset({ ...options, instrument });
    const isRead = instrument !== undefined || options.values === 'typed';
    if (isRead && (options.label || options.excel)) throw new Error(labelsInstead(instrument));
    if (isRead && resume) throw new Error('--resume is for raw values of all instruments');
    if (resume && options.trailer) throw new Error('--resume and --trailer cannot be combined');
    if (options.missing !== undefined && options.values !== 'typed')
      throw new Error('--missing needs --values typed');
    if (options.labels && options.values !== 'typed') throw new Error('--labels needs --values typed');
    const format = formatOf({ ...options, output });
    checkCsvOptions(options, format);
    if (options.as === undefined && (options.policy ?? options.manifest) !== undefined)
      throw new Error('--policy and --manifest need --as');
    if (options.manifest !== undefined && limit !== undefined)
      throw new Error('--manifest describes a whole export: leave out --limit');
    if (options.as !== undefined && resume) throw new Error('--resume cannot be combined with --as');
    if (options.trailer && format !== 'ndjson') throw new Error('--trailer needs --format ndjson');
    if (resume && (format !== 'ndjson' || outputFile(output) === undefined))
      throw new Error('--resume needs -o FILE and the format NDJSON');
    if (resume && limit !== undefined) throw new Error('--resume and --limit cannot be combined');
    checkWholeNumbers(options, { '--batch-size': 10_000, '--limit': 1_000_000 });
  },
  handler: async (options) => {
    const { runExport } = await import('./export-action.js');
    return runExport({ ...options, format: formatOf(options), isDataset: options.format === 'dataset-json' });
  },
});

/** @throws {Error} an option has no meaning for a dataset */
function refuseInDataset(options: Partial<ExportArguments>): void {
  if (options.instrument === undefined) throw new Error('--format dataset-json needs --instrument');
  const given = NOT_IN_A_DATASET.find((name) => options[name] !== undefined && options[name] !== false);
  if (given !== undefined) throw new Error(`--format dataset-json has its own types: leave out --${given}`);
}

const NOT_IN_A_DATASET = ['labels', 'missing', 'label', 'type', 'trailer', 'resume'] as const;

const NOT_IN_A_WORKBOOK = [
  'values',
  'labels',
  'label',
  'checkbox-labels',
  'header-labels',
  'excel',
  'spreadsheet-safe',
  'survey-fields',
  'dags',
  'combine-checkboxes',
  'trailer',
  'resume',
] as const;

/** `--excel` is a form of CSV. */
function formatOf({
  format,
  excel,
  output,
}: Pick<ExportArguments, 'format' | 'excel' | 'output'>): RowFormat {
  if (format === 'dataset-json') return exportFormat('json', output);
  return exportFormat(format ?? (excel ? 'csv' : undefined), output);
}

/** What does what `--label` was to do for values that are read here, in one step. */
function labelsInstead(instrument: string | undefined): string {
  const typed = '--values typed --labels, as JSON or NDJSON';
  return instrument === undefined
    ? `--label and --excel are for raw values: use ${typed}`
    : `--label and --excel cannot be combined with --instrument: use --forms ${instrument} --label, or ${typed}`;
}
