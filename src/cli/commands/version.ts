import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';

/** `crf version`: prints REDCap's version to stdout. */
export const versionCommand: CommandModule<object, GlobalArguments> = {
  command: 'version',
  describe: "Print REDCap's version",
  handler: async (options) => {
    const { withClient } = await import('../open-client.js');
    await withClient(options, async ({ client }) => {
      process.stdout.write(`${await client.getVersion()}\n`);
    });
  },
};
