import type { CommandModule } from 'yargs';
import { envFilesOf, type GlobalArguments } from '../options/global-arguments.js';

/** `crf serve`: starts the server, like `npm start`. */
export const serveCommand: CommandModule<object, GlobalArguments> = {
  command: 'serve',
  describe: 'Serve the project as a REST API (set HOST, PORT, API_KEYS etc.)',
  handler: async (options) => {
    const { runServer } = await import('../../server/run-server.js');
    process.exitCode = await runServer({ envFiles: envFilesOf(options), isSandbox: options.sandbox });
  },
};
