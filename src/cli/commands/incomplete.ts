import { defineCommand } from '../define-command.js';
import { completeFileOption } from '../options/output-options.js';

export const incompleteCommand = defineCommand({
  name: 'incomplete',
  describe: 'List the forms that are not complete or not begun, as CSV for a spreadsheet',
  args: {
    group: { type: 'string', describe: 'Only records of this data access group, by its unique name' },
    form: { type: 'string', describe: 'Only this instrument' },
    event: { type: 'string', describe: 'Only this event' },
    output: completeFileOption('document'),
    force: { type: 'boolean', default: false, describe: 'Replace FILE' },
  },
  examples: [['$0 incomplete --group le_havre -o le_havre.csv', 'What a site has still to do']],
  epilogue:
    'The list is that of the dashboard: a form is expected where its event is, unless the plan of the study says that it is optional.',
  handler: async ({ group, form, event, output = '-', ...options }) => {
    const [{ PassThrough }, { heard }, { saveFile }, { StudyLists }, { openStudy }, { loadCommandSettings }] =
      await Promise.all([
        import('node:stream'),
        import('../../errors/heard.js'),
        import('../files/save-file.js'),
        import('../../services/summary/study-lists.js'),
        import('../../server/open-study.js'),
        import('../../config/settings.js'),
      ]);
    await saveFile({ ...options, output }, 'incomplete.csv', async (client, signal) => {
      const lists = new StudyLists(client, await openStudy(loadCommandSettings()));
      const filter = {
        site: group,
        form,
        event,
        statuses: ['incomplete', 'unverified', 'notBegun'],
      } as const;
      const rows = await lists.open('forms', filter, { signal });
      const body = heard(new PassThrough());
      rows.pipeTo(body).catch((error: unknown) => body.destroy(error as Error));
      return { name: 'incomplete.csv', body };
    });
  },
});
