import type { CommandModule } from 'yargs';
import { ROW_FORMATS, type RowFormat } from '../../services/row-output/row-format.js';
import { exportFormat } from '../options/file-format.js';
import type { ReportCommandArguments } from '../actions/run-report.js';
import { checkWholeNumbers, MAX_INTEGER } from '../options/whole-number.js';

/** `crf report`. */
export const reportCommand: CommandModule<
  object,
  Omit<ReportCommandArguments, 'format'> & { format?: RowFormat }
> = {
  command: 'report <id>',
  describe: 'Export a report that was defined in REDCap',
  builder: (yargs) =>
    yargs
      .positional('id', { type: 'number', demandOption: true, describe: 'Number of the report' })
      .option('format', {
        choices: ROW_FORMATS,
        describe: 'Default: from the extension of FILE, else json',
      })
      .option('label', {
        type: 'boolean',
        default: false,
        describe: 'Export choice labels instead of codes',
      })
      .option('spreadsheet-safe', {
        type: 'boolean',
        default: false,
        describe: 'Put an apostrophe before cells that look like formulas (CSV)',
      })
      .option('output', {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'Write to this file; it appears when the report is complete',
      })
      .option('force', { type: 'boolean', default: false, describe: 'Replace FILE' })
      .example('$0 report 42 -o enrolment.csv', 'A report as a file')
      .check(({ id, output, spreadsheetSafe, ...options }) => {
        if (spreadsheetSafe && exportFormat(options.format, output) !== 'csv')
          throw new Error('--spreadsheet-safe needs --format csv');
        return checkWholeNumbers({ id }, { id: MAX_INTEGER });
      }) as never, // yargs's types do not convert kebab-case options to camelCase
  handler: async (options) => {
    const { runReport } = await import('../actions/run-report.js');
    process.exitCode = await runReport({
      ...options,
      format: exportFormat(options.format, options.output),
    });
  },
};
