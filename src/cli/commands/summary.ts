import { defineCommand } from '../define-command.js';
import { JSON_OPTION } from '../options/output-options.js';

/** Prints the progress of the study, with bars or as JSON. */
export const summaryCommand = defineCommand({
  name: 'summary',
  describe: 'Show how the study goes: recruitment, form statuses, missing data',
  args: JSON_OPTION,
  handler: async (options) => {
    const [{ withClient }, { openStudy }, { SummaryService }, { summaryInWords }, { terminalWidth }] =
      await Promise.all([
        import('../open-client.js'),
        import('../../server/open-study.js'),
        import('../../services/summary/summary-service.js'),
        import('../printing/summary-in-words.js'),
        import('../printing/terminal-width.js'),
      ]);
    await withClient(options, async ({ client, settings }) => {
      const summary = await new SummaryService(client, await openStudy(settings)).summary({
        mayReadRecords: true,
      });
      process.stdout.write(
        options.json
          ? `${JSON.stringify(summary, null, 2)}\n`
          : summaryInWords(summary, terminalWidth(process.stdout)),
      );
    });
  },
});
