import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';
import type { FormArguments } from '../printing/print-rows.js';

/** `crf fields`: lists the data dictionary. */
export const fieldsCommand: CommandModule<GlobalArguments, FormArguments> = {
  command: 'fields',
  describe: 'List the fields of the project: name, instrument, type, choices, label',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' })
      .option('csv', {
        type: 'boolean',
        default: false,
        describe: "Print CSV in the format of REDCap's data dictionary",
      })
      .example('$0 fields --csv > dictionary.csv', 'Save the data dictionary'),
  handler: async (options) => {
    const { printFields } = await import('../actions/print-structure.js');
    await printFields(options);
  },
};
