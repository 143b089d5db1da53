import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';

/** `crf settings put FILE`. */
const putCommand: CommandModule<GlobalArguments, GlobalArguments & { file: string }> = {
  command: 'put <file>',
  describe: 'Change settings of the project, from a JSON object; what is not in it stays',
  builder: (yargs) =>
    yargs
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'JSON file; - for standard input',
      })
      .example(`echo '{"title":"Cohort 2026"}' | $0 settings put -`, 'Rename the project'),
  handler: async (options) => {
    const { putSettings } = await import('../actions/run-settings.js');
    await putSettings(options.file, options);
  },
};

/** `crf settings`. */
export const settingsCommand: CommandModule = {
  command: 'settings',
  describe: 'Change settings of the project; crf info --json prints them',
  builder: (yargs) => yargs.command(putCommand as never).demandCommand(1, 'A command is missing: put.'),
  handler: () => undefined,
};
