import { defineCommand } from '../define-command.js';
import { exportFormat } from '../options/file-format.js';
import { completeFileOption } from '../options/output-options.js';
import {
  BYTE_ORDER_MARK,
  checkCsvOptions,
  exportFormatOption,
  rawValueOptions,
  valueForm,
} from '../options/row-options.js';
import { checkWholeNumbers, MAX_INTEGER } from '../options/whole-number.js';

export const reportCommand = defineCommand({
  name: 'report',
  describe: 'Export a report that was defined in REDCap',
  args: {
    id: { type: 'number', demandOption: true, describe: 'Number of the report' },
    format: exportFormatOption,
    ...rawValueOptions,
    output: completeFileOption('report'),
    force: { type: 'boolean', default: false, describe: 'Replace FILE' },
  },
  positionals: ['id'],
  examples: [['$0 report 42 -o enrolment.csv', 'A report as a file']],
  check: ({ id, output, format, ...options }) => {
    checkCsvOptions(options, exportFormat(format ?? (options.excel ? 'csv' : undefined), output));
    checkWholeNumbers({ id }, { id: MAX_INTEGER });
  },
  handler: async ({ id, ...options }) => {
    const [{ ReportExporter }, { writeReport }] = await Promise.all([
      import('../../services/reports/report-exporter.js'),
      import('../files/write-report.js'),
    ]);
    const format = exportFormat(options.format ?? (options.excel ? 'csv' : undefined), options.output);
    const request = { ...valueForm(options), format, hasEnvelope: false };
    return writeReport(
      { ...options, format },
      {
        row: 'row',
        before: options.excel ? BYTE_ORDER_MARK : undefined,
        open: ({ client }, signal, onRows) =>
          new ReportExporter(client).open(id, { ...request, onRows }, { signal }),
      },
    );
  },
});
