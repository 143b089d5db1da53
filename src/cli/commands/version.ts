import { defineCommand } from '../command.js';
import { JSON_OPTION } from '../options/shared-options.js';

export const command = defineCommand({
  args: JSON_OPTION,
  reads: async ({ client }) => {
    const version = await client.getVersion();
    return { data: { version }, text: version };
  },
});
