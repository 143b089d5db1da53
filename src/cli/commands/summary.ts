import { defineCommand } from '../define-command.js';
import { JSON_OPTION } from '../options/output-options.js';

/** Prints the progress of the study, with bars or as JSON, or saves it as a report to print. */
export const summaryCommand = defineCommand({
  name: 'summary',
  describe: 'Show how the study goes: recruitment, form statuses, missing data',
  args: {
    ...JSON_OPTION,
    report: {
      type: 'string',
      requiresArg: true,
      describe: 'Save a report to print as this HTML file, without scripts, instead of printing figures',
    },
    lang: { choices: ['en', 'de'] as const, default: 'en' as const, describe: 'The language of the report' },
    force: { type: 'boolean', default: false, describe: 'Replace the file of the report' },
  },
  examples: [
    ['$0 summary --report study.html', 'The report for the monthly meeting, on one or two pages of A4'],
  ],
  handler: async ({ report, lang, ...options }) => {
    if (report !== undefined) {
      const { saveReport } = await import('./save-report.js');
      return saveReport({ ...options, lang, output: report });
    }
    return (await import('./print-summary.js')).printSummary(options);
  },
});
