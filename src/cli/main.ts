#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { authCommand } from './commands/auth.js';
import { checkCommand } from './commands/check.js';
import { exportCommand } from './commands/export.js';
import { importCommand } from './commands/import.js';
import { infoCommand } from './commands/info.js';
import { keyCommand } from './commands/key.js';
import { sandboxCommand } from './commands/sandbox.js';
import { serveCommand } from './commands/serve.js';
import { userCommand } from './commands/user.js';
import { versionCommand } from './commands/version.js';
import { EXIT_CODES } from './exit-codes.js';
import { reportFailure } from './report-failure.js';

// A reader that has seen enough, as in `crf export | head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT_CODES.ok);
  throw error;
});

await yargs(hideBin(process.argv))
  .scriptName('crf')
  .usage('$0 <command>\n\nRead, write and check a REDCap project, and serve it as a REST API.')
  .command([
    checkCommand,
    serveCommand,
    sandboxCommand,
    versionCommand,
    infoCommand,
    userCommand,
    exportCommand,
    importCommand,
    keyCommand,
    authCommand,
  ] as never) // each command has arguments of its own, which a list of them cannot say
  .demandCommand(1, 'Say what to do: one of the commands below.')
  .strict()
  .recommendCommands()
  .version(false)
  .help()
  .alias('h', 'help')
  .wrap(Math.min(100, process.stdout.columns ?? 100))
  .epilogue(
    'Settings come from the environment: CAPTURE_API_URL and CAPTURE_API_TOKEN name the project. Without them the commands run on a sandbox with a synthetic study. See docs/configuration.md.',
  )
  .fail((message: string | null, error: Error | undefined, parser) => {
    if (error !== undefined) {
      process.exitCode = reportFailure(error);
      return;
    }
    process.stderr.write(`${message ?? 'The command line is not valid.'}\n\n`);
    parser.showHelp('error');
    process.exitCode = EXIT_CODES.usage;
  })
  .parseAsync()
  .catch((error: unknown) => {
    // What a handler throws was reported by `fail` already.
    if (process.exitCode === undefined) process.exitCode = reportFailure(error);
  });
