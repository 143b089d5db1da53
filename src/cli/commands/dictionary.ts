import type { CommandModule } from 'yargs';
import { withYes, type YesArguments } from '../options/confirm.js';
import type { GlobalArguments } from '../options/global-arguments.js';

/** `crf dictionary get`: prints the file format that `crf dictionary put` and REDCap's web page read. */
const getCommand: CommandModule<GlobalArguments, GlobalArguments & { json: boolean }> = {
  command: 'get',
  describe: 'Print the data dictionary as CSV, as REDCap reads it',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' })
      .example('$0 dictionary get > dictionary.csv', 'Save the data dictionary'),
  handler: async (options) => {
    const { getDictionary } = await import('../actions/run-dictionary.js');
    await getDictionary(options);
  },
};

/** `crf dictionary put FILE`. */
const putCommand: CommandModule<GlobalArguments, YesArguments & { file: string }> = {
  command: 'put <file>',
  describe: 'Replace the data dictionary with a CSV or JSON file; only in development',
  builder: (yargs) =>
    withYes(
      yargs.positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'CSV, or JSON as get --json prints it; - for standard input',
      }),
    ).example('$0 dictionary put dictionary.csv', 'Says which fields it adds, changes and removes, and asks'),
  handler: async (options) => {
    const { putDictionary } = await import('../actions/run-dictionary.js');
    await putDictionary(options.file, options);
  },
};

/** `crf dictionary`. */
export const dictionaryCommand: CommandModule = {
  command: 'dictionary',
  describe: 'Read or replace the data dictionary',
  builder: (yargs) =>
    yargs.command([getCommand, putCommand] as never).demandCommand(1, 'A command is missing: get or put.'),
  handler: () => undefined,
};
