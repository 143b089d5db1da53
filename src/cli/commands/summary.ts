import { defineCommand } from '../define-command.js';
import { JSON_OPTION } from '../options/output-options.js';

/** Prints the progress of the study, with bars or as JSON. */
export const summaryCommand = defineCommand({
  name: 'summary',
  describe: 'Show how the study goes: recruitment, form statuses, missing data',
  args: JSON_OPTION,
  handler: async (options) => {
    const [{ withClient }, { SummaryService }, { summaryInWords }, { terminalWidth }] = await Promise.all([
      import('../open-client.js'),
      import('../../services/summary/summary-service.js'),
      import('../printing/summary-in-words.js'),
      import('../printing/terminal-width.js'),
    ]);
    await withClient(options, async ({ client, settings }) => {
      const { STUDY_START, STUDY_END, STUDY_TARGET, STUDY_DATE_FIELD } = settings.values;
      const study = { start: STUDY_START, end: STUDY_END, target: STUDY_TARGET, dateField: STUDY_DATE_FIELD };
      const summary = await new SummaryService(client, study).summary({ mayReadRecords: true });
      process.stdout.write(
        options.json
          ? `${JSON.stringify(summary, null, 2)}\n`
          : summaryInWords(summary, terminalWidth(process.stdout)),
      );
    });
  },
});
