import { defineCommand } from '../define-command.js';
import { ROW_OPTIONS } from '../options/output-options.js';

export const instrumentsCommand = defineCommand({
  name: 'instruments',
  describe: 'List the instruments of the project: name, number of fields, label',
  args: ROW_OPTIONS,
  handler: async (options) => (await import('./print-structure.js')).printInstruments(options),
});
