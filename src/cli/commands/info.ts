import { defineCommand } from '../define-command.js';
import { JSON_OPTION } from '../options/output-options.js';

export const infoCommand = defineCommand({
  name: 'info',
  describe: 'Show the project: title, status and features',
  args: JSON_OPTION,
  handler: async (options) => {
    const [{ withClient }, { projectInWords }] = await Promise.all([
      import('../open-client.js'),
      import('../printing/project-in-words.js'),
    ]);
    await withClient(options, async ({ client }) => {
      const info = await client.getProjectInfo();
      process.stdout.write(options.json ? `${JSON.stringify(info, null, 2)}\n` : projectInWords(info));
    });
  },
});
