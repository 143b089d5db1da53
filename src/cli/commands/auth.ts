import type { CommandModule } from 'yargs';

interface AuthCheckArguments {
  json: boolean;
}

/** `crf auth check`. */
const authCheckCommand: CommandModule<object, AuthCheckArguments> = {
  command: 'check',
  describe: 'Check the sign-in: Appwrite, its API key, and which addresses may sign in',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document on stdout' })
      .epilogue(
        'Exit codes: 0 success, 1 a check failed, 2 configuration, 3 credentials refused, 4 unreachable or timed out.',
      ),
  handler: async ({ json }) => {
    const { runAuthChecks } = await import('../check/auth-checks.js');
    process.exitCode = await runAuthChecks({ json });
  },
};

/** `crf auth`. */
export const authCommand: CommandModule = {
  command: 'auth',
  describe: 'Check the passwordless sign-in',
  builder: (yargs) =>
    yargs.command(authCheckCommand as never).demandCommand(1, 'A command is missing: check.'),
  handler: () => undefined,
};
