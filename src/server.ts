import { parseArgs } from 'node:util';
import type { EnvironmentOptions } from './server/config/env-file.js';
import { runServer } from './server/run-server.js';

// The entry point of `npm start`.
void runServer(environmentOptions()).then((exitCode) => {
  process.exitCode = exitCode;
});

/** Parses the options of `npm start -- --env-file FILE`, which work like those of Node. */
function environmentOptions(): EnvironmentOptions {
  const { values } = parseArgs({
    options: { 'env-file': { type: 'string', multiple: true }, sandbox: { type: 'boolean' } },
    strict: false,
  });
  return {
    envFiles: values['env-file']?.filter((file) => typeof file === 'string'),
    isSandbox: values.sandbox === true,
  };
}
