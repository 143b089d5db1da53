import { defineCommand } from '../define-command.js';
import { ENCODING_OPTION } from '../options/output-options.js';

const putCommand = defineCommand({
  name: 'put',
  describe: 'Change settings of the project, from a JSON object; what is not in it stays',
  args: {
    file: { type: 'string', demandOption: true, describe: 'JSON file; - for standard input' },
    ...ENCODING_OPTION,
  },
  positionals: ['file'],
  examples: [[`echo '{"title":"Cohort 2026"}' | $0 settings put -`, 'Rename the project']],
  handler: async (options) => (await import('./settings-action.js')).putSettings(options.file, options),
});

export const settingsCommand = defineCommand({
  name: 'settings',
  describe: 'Change settings of the project; crf info --json prints them',
  subcommands: [putCommand],
});
