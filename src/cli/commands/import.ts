import type { CommandModule } from 'yargs';
import { CSV_DELIMITERS, type CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';
import { ROW_FORMATS, type RowFormat } from '../../records/formats/row-format.js';
import type { ImportArguments } from '../actions/run-import.js';
import { importFormat } from '../options/file-format.js';
import { checkWholeNumbers, MAX_INTEGER } from '../options/whole-number.js';

type Options = Omit<ImportArguments, 'format'> & { format?: RowFormat };

/** `crf import`. */
export const importCommand: CommandModule<object, Options> = {
  command: 'import <file>',
  describe: 'Import records from a file or stdin (-), validated against the data dictionary',
  builder: (yargs) =>
    yargs
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'JSON (a list, or records in an object), NDJSON or CSV; - for stdin',
      })
      .option('format', {
        choices: ROW_FORMATS,
        describe: 'Default: from the file extension',
      })
      .option('dry-run', {
        type: 'boolean',
        default: false,
        describe: 'Validate, and warn of likely mistakes; send nothing',
      })
      .option('overwrite', {
        type: 'boolean',
        default: false,
        describe: 'Let blank values erase stored ones',
      })
      .option('batch-size', {
        type: 'number',
        describe: 'Rows per call to REDCap; default: IMPORT_CHUNK_ROWS',
      })
      .option('type', {
        choices: ['flat', 'eav'] as const,
        describe: 'flat: a row per record; eav: a row per value',
      })
      .option('values', {
        choices: ['raw', 'typed'] as const,
        describe: 'typed: JSON or NDJSON of crf export --values typed; default: raw',
      })
      .option('delimiter', {
        choices: Object.keys(CSV_DELIMITERS) as CsvDelimiter[],
        describe: 'CSV delimiter; detected by default',
      })
      .option('encoding', {
        choices: ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const,
        describe: 'Text encoding of the file; default: utf-8',
      })
      .option('date-format', {
        choices: ['YMD', 'MDY', 'DMY'] as const,
        describe: 'Order of day, month and year in dates; default: YMD',
      })
      .option('limits', {
        choices: ['warn', 'refuse'] as const,
        describe: 'Values outside the limits of their field; default: warn, and store them as REDCap does',
      })
      .option('keep-misfits', {
        type: 'boolean',
        default: false,
        describe: 'Send values that do not fit their field as they are, with a warning',
      })
      .option('from-row', {
        type: 'number',
        describe: 'First row to import, from 1: go on where an import failed',
      })
      .option('report', {
        type: 'string',
        requiresArg: true,
        describe: 'Write all problems to this file, as CSV; - for stdout',
      })
      .example('$0 import records.csv --dry-run', 'Validate a file without sending it')
      .example('$0 import records.csv --dry-run --report problems.csv', 'List every problem')
      .example('$0 import visits.csv --date-format DMY', 'Dates such as 31/12/2026')
      .example('$0 import visits.csv --from-row 1001', 'Go on after a failure')
      .example('$0 import rows.ndjson --values typed', 'Import numbers, booleans, lists and null')
      .example('$0 import - --format ndjson < records.ndjson', 'Import from another program')
      .epilogue(
        'An import that fits in one call to REDCap is stored completely or not at all; for larger ones the summary says what was stored. Exit codes: 0 success, 1 refused, 2 usage, 3 credentials refused, 4 unreachable or timed out, 130 interrupted.',
      )
      .check(({ file, format, ...values }) => {
        importFormat(format, String(file));
        return checkWholeNumbers(values, { '--batch-size': 100_000, '--from-row': MAX_INTEGER });
      }) as never, // yargs's types do not convert kebab-case options to camelCase
  handler: async (options) => {
    const { runImport } = await import('../actions/run-import.js');
    process.exitCode = await runImport({ ...options, format: importFormat(options.format, options.file) });
  },
};
