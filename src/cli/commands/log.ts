import { LOG_TYPES } from '../../gateways/redcap/contents/log-types.js';
import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { ROW_OPTIONS } from '../options/output-options.js';
import { checkWholeNumbers, MAX_INTEGER } from '../options/whole-number.js';

const args = {
  since: {
    type: 'string',
    describe: 'From this moment on: a date, a date and time, or as long ago as 30m, 24h or 7d',
  },
  until: { type: 'string', describe: 'Up to this moment: a date, or a date and time' },
  type: { choices: LOG_TYPES, describe: 'Only entries of this type' },
  user: { type: 'string', describe: 'Only what this user did' },
  record: { type: 'string', describe: 'Only what was done to this record' },
  dag: { type: 'number', describe: 'Only records of this data access group (number)' },
  limit: { type: 'number', describe: 'Only this many entries, the newest' },
  ...ROW_OPTIONS,
} as const;

export type LogArguments = ArgumentsOf<typeof args>;

export const logCommand = defineCommand({
  name: 'log',
  describe: 'Show who did what in the project, the newest first; names of fields, no values',
  args,
  examples: [
    ['$0 log --since 24h', 'The last day'],
    ['$0 log --since 2026-01-01 --type record --csv > changes.csv', 'Every change of a record'],
  ],
  epilogue:
    "Times are those of REDCap's server; with CAPTURE_TIME_ZONE they have an offset. Without --since, a large log may take REDCap too long.",
  check: (values) => checkWholeNumbers(values, { '--limit': MAX_INTEGER, '--dag': MAX_INTEGER }),
  handler: async (options) => (await import('./log-action.js')).printLog(options),
});
