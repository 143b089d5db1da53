import type { CommandModule } from 'yargs';
import { LOG_TYPES } from '../../gateways/redcap/contents/log-types.js';
import type { LogArguments } from '../actions/run-log.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { checkWholeNumbers, MAX_INTEGER } from '../options/whole-number.js';

/** `crf log`. */
export const logCommand: CommandModule<GlobalArguments, LogArguments> = {
  command: 'log',
  describe: 'Show who did what in the project, the newest first; names of fields, no values',
  builder: (yargs) =>
    yargs
      .option('since', {
        type: 'string',
        describe: 'From this moment on: a date, a date and time, or as long ago as 30m, 24h or 7d',
      })
      .option('until', { type: 'string', describe: 'Up to this moment: a date, or a date and time' })
      .option('type', {
        choices: LOG_TYPES,
        describe: 'Only entries of this type',
      })
      .option('user', { type: 'string', describe: 'Only what this user did' })
      .option('record', { type: 'string', describe: 'Only what was done to this record' })
      .option('dag', { type: 'number', describe: 'Only records of this data access group (number)' })
      .option('limit', { type: 'number', describe: 'Only this many entries, the newest' })
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' })
      .option('csv', { type: 'boolean', default: false, describe: 'Print CSV' })
      .example('$0 log --since 24h', 'The last day')
      .example('$0 log --since 2026-01-01 --type record --csv > changes.csv', 'Every change of a record')
      .epilogue(
        "Times are those of REDCap's server; with CAPTURE_TIME_ZONE they have an offset. Without --since, a large log may take REDCap too long.",
      )
      .check((values) => checkWholeNumbers(values, { '--limit': MAX_INTEGER, '--dag': MAX_INTEGER })),
  handler: async (options) => (await import('../actions/run-log.js')).printLog(options),
};
