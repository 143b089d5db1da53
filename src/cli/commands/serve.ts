import type { CommandModule } from 'yargs';

/** `crf serve`: the server, as `npm start` runs it. */
export const serveCommand: CommandModule = {
  command: 'serve',
  describe: 'Serve the project as a REST API (settings: PORT, HOST, API_KEYS, …)',
  handler: async () => {
    const { runServer } = await import('../../server.js');
    process.exitCode = await runServer();
  },
};
