import { defineCommand } from '../define-command.js';

export const versionCommand = defineCommand({
  name: 'version',
  describe: "Print REDCap's version",
  handler: async (options) => {
    const { withClient } = await import('../open-client.js');
    await withClient(options, async ({ client }) => {
      process.stdout.write(`${await client.getVersion()}\n`);
    });
  },
});
