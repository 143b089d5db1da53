import type { CommandModule } from 'yargs';
import { isWholeNumber } from '../whole-number.js';
import type { ImportArguments } from '../run-import.js';

/** `crf import`. */
export const importCommand: CommandModule<object, ImportArguments> = {
  command: 'import <file>',
  describe: 'Import records from a file, or from stdin (-), checked against the data dictionary',
  builder: (yargs) =>
    yargs
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'JSON (a list, or records in an object), NDJSON or CSV; - for stdin',
      })
      .option('format', {
        choices: ['json', 'ndjson', 'csv'] as const,
        describe: "By the file's ending when left out",
      })
      .option('dry-run', { type: 'boolean', default: false, describe: 'Check everything, send nothing' })
      .option('overwrite', { type: 'boolean', default: false, describe: 'Blank values erase what is stored' })
      .option('batch-size', {
        type: 'number',
        describe: 'Rows a call to REDCap; IMPORT_CHUNK_ROWS without it',
      })
      .option('type', { choices: ['flat', 'eav'] as const, describe: 'A row a record, or a row a value' })
      .option('delimiter', {
        choices: [',', 'tab', ';', '|', '^'] as const,
        describe: 'Between the cells of a CSV; recognised when left out',
      })
      .option('encoding', {
        choices: ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const,
        describe: 'What the file is written in; UTF-8 when left out',
      })
      .option('report', { type: 'string', describe: 'Write all problems to this file, as CSV' })
      .example('$0 import records.csv --dry-run', 'Check a file without sending it')
      .example('$0 import records.csv --dry-run --report problems.csv', 'List everything that is wrong')
      .example('$0 import - --format ndjson < records.ndjson', 'Import from another program')
      .epilogue(
        'What fits one call is stored whole or not at all; of more, the summary says what was stored. Exit codes: 0 stored, 1 refused, 2 usage, 3 credentials refused, 4 unreachable or timed out, 130 interrupted.',
      )
      .check(({ file, format, batchSize }) => {
        if (format === undefined && !/\.(json|ndjson|jsonl|csv)$/i.test(String(file))) {
          throw new Error('--format is needed: the ending of the file does not tell it');
        }
        if (batchSize !== undefined && !isWholeNumber(batchSize, 100_000)) {
          throw new Error('--batch-size must be a whole number from 1 to 100000');
        }
        return true;
      }) as never, // as in export
  handler: async (options) => {
    const { runImport } = await import('../run-import.js');
    // yargs reads a lone `-` as an empty text.
    process.exitCode = await runImport({ ...options, file: options.file === '' ? '-' : options.file });
  },
};
