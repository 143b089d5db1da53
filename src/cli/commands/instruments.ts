import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';
import type { FormArguments } from '../printing/print-rows.js';

/** `crf instruments`. */
export const instrumentsCommand: CommandModule<GlobalArguments, FormArguments> = {
  command: 'instruments',
  describe: 'List the instruments of the project: name, number of fields, label',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' })
      .option('csv', { type: 'boolean', default: false, describe: 'Print CSV' }),
  handler: async (options) => {
    const { printInstruments } = await import('../actions/print-structure.js');
    await printInstruments(options);
  },
};
