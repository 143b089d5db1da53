import { defineCommand } from '../define-command.js';
import { JSON_OPTION } from '../options/output-options.js';

export const fieldsCommand = defineCommand({
  name: 'fields',
  describe: 'List the fields of the project: name, instrument, type, choices, label',
  args: {
    ...JSON_OPTION,
    csv: {
      type: 'boolean',
      default: false,
      describe: "Print CSV in the format of REDCap's data dictionary",
    },
  },
  examples: [['$0 fields --csv > dictionary.csv', 'Save the data dictionary']],
  handler: async (options) => (await import('./print-structure.js')).printFields(options),
});
