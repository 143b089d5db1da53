import { defineCommand } from '../define-command.js';
import { JSON_ON_STDOUT } from '../options/output-options.js';
import { checkWholeNumbers, MAX_INTEGER } from '../options/whole-number.js';

export const conformanceCommand = defineCommand({
  name: 'conformance',
  describe: 'Try every operation on REDCap, and report where it differs from its documentation',
  args: {
    'allow-writes': {
      type: 'boolean',
      default: false,
      describe: 'Also try what writes; for a throw-away project in development status only',
    },
    report: { type: 'number', describe: 'Number of a report to read: the API does not list them' },
    ...JSON_ON_STDOUT,
  },
  examples: [['$0 conformance --json > report.json', 'A report without any data, to be sent to us']],
  epilogue:
    'The report has no record values, no names, no token and no address. Exit codes: 0 nothing differs, 1 an operation differs or failed.',
  check: (values) => checkWholeNumbers(values, { '--report': MAX_INTEGER }),
  handler: async ({ report, ...options }) => {
    const { tryConformance } = await import('./try-conformance.js');
    return tryConformance({ ...options, reportId: report });
  },
});
