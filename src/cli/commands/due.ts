import { VISIT_STATES } from '../../services/summary/due-visits.js';
import { defineCommand } from '../command.js';
import { checkList, formFilterOptions, LIST_COMBINATIONS, listOptions } from '../options/list-options.js';
import { choice, text } from '../options/option.js';
import { writeList } from './incomplete.js';

export const command = defineCommand({
  args: {
    ...formFilterOptions,
    instrument: text('Only visits of which this instrument has not begun'),
    state: choice('Only visits that are overdue, due within the next seven days, or later', VISIT_STATES, {
      type: 'string',
    }),
    ...listOptions('document', 'csv'),
  },
  examples: {
    '$0 due --state overdue --dag krakow': 'Who is overdue in a data access group',
    '$0 due --state overdue --json | jq length': 'How many visits are overdue',
  },
  epilogue:
    'The plan of the study (STUDY_FILE) says when each visit is expected. The list is that of the dashboard: the visits of which a form has not begun. Each line of CSV has the address of the record in REDCap, except on a sandbox; JSON has the visits as GET /api/v1/project/due has them.',
  combinations: LIST_COMBINATIONS,
  check: (values) => checkList(values),
  run: ({ dag, arm, instrument, event, state, from, until, ...options }, io) => {
    const filter = { dag, arm, instrument, event, state, from, until };
    return writeList(options, { kind: 'due', row: 'visit', filter }, io);
  },
});
