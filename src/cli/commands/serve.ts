import { defineCommand } from '../define-command.js';
import { envFilesOf } from '../options/global-arguments.js';

/** Starts the server, like `npm start`. */
export const serveCommand = defineCommand({
  name: 'serve',
  describe: 'Serve the project as a REST API (set HOST, PORT, API_KEYS etc.)',
  readsSettings: false,
  handler: async (options) => {
    const { runServer } = await import('../../server/run-server.js');
    process.exitCode = await runServer({
      envFiles: envFilesOf(options),
      isSandbox: options.sandbox,
      projectsFile: options.projectsFile,
      project: options.project,
    });
  },
});
