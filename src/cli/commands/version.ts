import type { CommandModule } from 'yargs';

/** `crf version`: of REDCap, on stdout. */
export const versionCommand: CommandModule = {
  command: 'version',
  describe: "Print REDCap's version",
  handler: async () => {
    const { withClient } = await import('../open-client.js');
    await withClient(async ({ client }) => {
      process.stdout.write(`${await client.getVersion()}\n`);
    });
  },
};
