import { VISIT_STATES } from '../../services/summary/due-visits.js';
import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { completeFileOption, JSON_OPTION } from '../options/output-options.js';

const args = {
  group: { type: 'string', describe: 'Only records of this data access group, by its unique name' },
  form: { type: 'string', describe: 'Only visits of which this instrument has not begun' },
  event: { type: 'string', describe: 'Only this event' },
  state: {
    type: 'string',
    choices: VISIT_STATES,
    describe: 'Only visits that are overdue, due within the next seven days, or later',
  },
  ...JSON_OPTION,
  output: completeFileOption('document'),
  force: { type: 'boolean', default: false, describe: 'Replace an existing file' },
} as const;

export type DueArguments = ArgumentsOf<typeof args>;

export const dueCommand = defineCommand({
  name: 'due',
  describe: 'List the visits that are overdue or due, as CSV for a spreadsheet, or as JSON',
  args,
  examples: [
    ['$0 due --state overdue --group krakow', 'Who is overdue at a site'],
    ['$0 due --state overdue --json | jq length', 'How many visits are overdue'],
  ],
  epilogue:
    'The plan of the study (STUDY_FILE) says when each visit is expected. The list is that of the dashboard: the visits of which a form has not begun. Each line of CSV has the address of the record in REDCap, except on a sandbox; JSON has the visits as GET /api/v1/project/due has them.',
  handler: async (options) => (await import('./incomplete-action.js')).runDue(options),
});
