import { defineCommand } from '../define-command.js';
import { ENCODING_OPTION, JSON_OPTION, YES } from '../options/output-options.js';

/** Prints the file format that `crf dictionary put` and REDCap's web page read. */
const getCommand = defineCommand({
  name: 'get',
  describe: 'Print the data dictionary as CSV, as REDCap reads it',
  args: JSON_OPTION,
  examples: [['$0 dictionary get > dictionary.csv', 'Save the data dictionary']],
  handler: async (options) => (await import('./dictionary-action.js')).getDictionary(options),
});

const putCommand = defineCommand({
  name: 'put',
  describe: 'Replace the data dictionary with a CSV or JSON file; only in development',
  args: {
    file: {
      type: 'string',
      demandOption: true,
      describe: 'CSV, or JSON as get --json prints it; - for standard input',
    },
    'allow-orphans': {
      type: 'boolean',
      default: false,
      describe: 'Go on if stored values lose their field or choice',
    },
    ...ENCODING_OPTION,
    ...YES,
  },
  positionals: ['file'],
  examples: [
    [
      '$0 dictionary put dictionary.csv',
      'Says what it changes, and which stored values that would orphan, and asks',
    ],
  ],
  handler: async (options) => (await import('./dictionary-action.js')).putDictionary(options.file, options),
});

export const dictionaryCommand = defineCommand({
  name: 'dictionary',
  describe: 'Read or replace the data dictionary',
  subcommands: [getCommand, putCommand],
});
