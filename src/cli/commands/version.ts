import { defineCommand } from '../command.js';
import { withClient } from '../open-client.js';

export const command = defineCommand({
  run: (options, io) =>
    withClient(options, io, async ({ client }) => {
      io.stdout.write(`${await client.getVersion()}\n`);
    }),
});
