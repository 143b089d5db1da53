import { runServer } from '../../server/run-server.js';
import { defineCommand, environmentOf } from '../command.js';

/** Starts the server, like `npm start`: it is a process, and listens to its signals. */
export const command = defineCommand({
  readsSettings: false,
  run: async (options) => ((await runServer(environmentOf(options))) === 0 ? 0 : 2),
});
