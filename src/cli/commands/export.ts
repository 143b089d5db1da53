import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { exportFormat } from '../options/file-format.js';
import { outputFile } from '../options/hyphens.js';
import { refuseBlanks } from '../options/list-option.js';
import { completeFileOption } from '../options/output-options.js';
import { checkSpreadsheetSafe, exportFormatOption, rawValueOptions } from '../options/row-options.js';
import { checkWholeNumbers } from '../options/whole-number.js';

const args = {
  format: exportFormatOption,
  fields: { type: 'string', array: true, describe: 'Only these fields' },
  forms: { type: 'string', array: true, describe: 'Only the fields of these instruments' },
  records: { type: 'string', array: true, describe: 'Only these records' },
  events: { type: 'string', array: true, describe: 'Only these events' },
  filter: { type: 'string', describe: 'Only records for which this filter logic is true' },
  instrument: { type: 'string', describe: 'Only the rows of this instrument, with its columns alone' },
  values: {
    choices: ['raw', 'typed'],
    default: 'raw',
    describe: 'Text as REDCap has it, or numbers, booleans, lists and null',
  },
  labels: { type: 'boolean', default: false, describe: 'With typed values: codes with their labels' },
  ...rawValueOptions,
  'batch-size': {
    type: 'number',
    describe: 'Records per call to REDCap; default: everything in one call',
  },
  limit: { type: 'number', describe: 'Only this many rows from the beginning' },
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
    ['$0 export --fields record_id age --filter "[age] >= 18" --format csv', 'Selected fields of adults'],
    ['$0 export --instrument demographics --values typed', 'One instrument, with typed values'],
    ['$0 export -o all.ndjson --batch-size 500', 'Everything, in batches'],
  ],
  epilogue:
    'Until the export is complete, the file is named FILE.part and only you can read it. Exit codes: 0 success, 1 failed, 2 usage, 3 credentials refused, 4 unreachable or timed out, 130 interrupted.',
  check: ({ fields, forms, records, events, filter, ...options }) => {
    const { resume, output, limit, spreadsheetSafe } = options;
    refuseBlanks({ fields, forms, records, events }, filter);
    if (options.instrument !== undefined && (fields ?? forms) !== undefined)
      throw new Error('--instrument cannot be combined with --fields or --forms');
    const isRead = options.instrument !== undefined || options.values === 'typed';
    if (isRead && options.label) throw new Error('--label is for raw values: use --labels');
    if (isRead && resume) throw new Error('--resume is for raw values of all instruments');
    if (options.labels && options.values !== 'typed') throw new Error('--labels needs --values typed');
    const format = exportFormat(options.format, output);
    checkSpreadsheetSafe(spreadsheetSafe, format);
    if (resume && (format !== 'ndjson' || outputFile(output) === undefined))
      throw new Error('--resume needs -o FILE and the format NDJSON');
    if (resume && limit !== undefined) throw new Error('--resume and --limit cannot be combined');
    checkWholeNumbers(options, { '--batch-size': 10_000, '--limit': 1_000_000 });
  },
  handler: async (options) => {
    const { runExport } = await import('../actions/run-export.js');
    return runExport({ ...options, format: exportFormat(options.format, options.output) });
  },
});
