import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';

interface InfoArguments extends GlobalArguments {
  json: boolean;
}

/** `crf info`: prints the project as text or JSON. */
export const infoCommand: CommandModule<GlobalArguments, InfoArguments> = {
  command: 'info',
  describe: 'Show the project: title, status and features',
  builder: (yargs) =>
    yargs.option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' }),
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
};
