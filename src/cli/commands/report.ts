import type { CommandModule } from 'yargs';
import type { RowFormat } from '../../records/formats/row-format.js';
import { exportFormat } from '../options/file-format.js';
import { completeFileOption } from '../options/output-options.js';
import { checkSpreadsheetSafe, exportFormatOption, rawValueOptions } from '../options/row-options.js';
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
      .option('format', exportFormatOption)
      .options(rawValueOptions)
      .option('output', completeFileOption('report'))
      .option('force', { type: 'boolean', default: false, describe: 'Replace FILE' })
      .example('$0 report 42 -o enrolment.csv', 'A report as a file')
      .check(({ id, output, spreadsheetSafe, ...options }) => {
        checkSpreadsheetSafe(spreadsheetSafe === true, exportFormat(options.format, output));
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
