import { VISIT_STATES } from '../../services/summary/due-visits.js';
import { defineCommand } from '../command.js';
import { choice, flag, text } from '../options/option.js';
import { completeFileOption, JSON_OPTION, periodOf, periodOptions } from '../options/shared-options.js';
import { writeList } from './incomplete.js';

export const command = defineCommand({
  args: {
    dag: text('Only records of this data access group, by its unique name'),
    instrument: text('Only visits of which this instrument has not begun'),
    event: text('Only this event'),
    state: choice('Only visits that are overdue, due within the next seven days, or later', VISIT_STATES, {
      type: 'string',
    }),
    ...periodOptions('Only records that joined'),
    ...JSON_OPTION,
    output: completeFileOption('document'),
    force: flag('Replace an existing file'),
  },
  examples: {
    '$0 due --state overdue --dag krakow': 'Who is overdue in a data access group',
    '$0 due --state overdue --json | jq length': 'How many visits are overdue',
  },
  epilogue:
    'The plan of the study (STUDY_FILE) says when each visit is expected. The list is that of the dashboard: the visits of which a form has not begun. Each line of CSV has the address of the record in REDCap, except on a sandbox; JSON has the visits as GET /api/v1/project/due has them.',
  check: (period) => void periodOf(period),
  run: ({ dag, instrument, event, state, from, until, json, ...options }, io) => {
    const filter = { dag, instrument, event, state, from, until };
    return writeList(
      { ...options, format: json ? 'json' : 'csv' },
      { kind: 'due', row: 'visit', filter },
      io,
    );
  },
});
