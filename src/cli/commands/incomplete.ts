import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { bySiteOption, completeFileOption } from '../options/output-options.js';

const args = {
  group: { type: 'string', describe: 'Only records of this data access group, by its unique name' },
  form: { type: 'string', describe: 'Only this instrument' },
  event: { type: 'string', describe: 'Only this event' },
  'by-site': bySiteOption,
  output: completeFileOption('document'),
  force: { type: 'boolean', default: false, describe: 'Replace existing files' },
} as const;

export type IncompleteArguments = ArgumentsOf<typeof args>;

export const incompleteCommand = defineCommand({
  name: 'incomplete',
  describe: 'List the forms that are not complete or not begun, as CSV for a spreadsheet',
  args,
  examples: [
    ['$0 incomplete --by-site to-do', 'What each site has still to do, a workbook for each'],
    ['$0 incomplete --group le_havre -o le_havre.csv', 'One site, as CSV'],
  ],
  epilogue:
    'The list is that of the dashboard: a form is expected where its event is, unless the plan of the study says that it is optional. Each line has the address of the record in REDCap, except on a sandbox.',
  handler: async (options) => (await import('./incomplete-action.js')).runIncomplete(options),
});
