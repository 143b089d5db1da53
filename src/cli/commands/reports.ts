import { FileService } from '../../services/files/file-service.js';
import { defineCommand, subcommand } from '../command.js';
import { writeReport } from '../files/write-report.js';
import { refuseCombinations } from '../options/combinations.js';
import {
  BYTE_ORDER_MARK,
  exportFormatOption,
  FORMAT_COMBINATIONS,
  rawValueOptions,
  rowFormat,
  valueForm,
} from '../options/export-options.js';
import { flag, neededNumber } from '../options/option.js';
import { checkWholeNumbers, completeFileOption, MAX_INTEGER } from '../options/shared-options.js';

const getCommand = subcommand({
  usage: 'get <report>',
  describe: 'Get the rows of a report',
  args: {
    report: neededNumber('Number of the report'),
    format: exportFormatOption,
    ...rawValueOptions,
    output: completeFileOption('report'),
    force: flag('Replace FILE'),
  },
  examples: { '$0 reports get 42 -o enrolment.csv': 'A report as a file' },
  check: (options) => {
    refuseCombinations({ ...options, format: rowFormat(options) }, FORMAT_COMBINATIONS);
    checkWholeNumbers(options, { report: MAX_INTEGER });
  },
  run: ({ report, ...options }, io) => {
    const format = rowFormat(options);
    const request = { ...valueForm(options), format, hasEnvelope: false };
    return writeReport({ ...options, format }, io, {
      row: 'row',
      before: options.excel ? BYTE_ORDER_MARK : undefined,
      open: ({ client }, signal, onRows) =>
        new FileService(client).openReport(report, { ...request, onRows }, { signal }),
    });
  },
});

export const command = defineCommand({ subcommands: [getCommand] });
