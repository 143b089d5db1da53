import { defineCommand } from '../define-command.js';
import { JSON_ON_STDOUT } from '../options/output-options.js';

const checkCommand = defineCommand({
  name: 'check',
  describe: 'Check the sign-in: Appwrite, its API key, and which addresses may sign in',
  args: JSON_ON_STDOUT,
  epilogue:
    'Exit codes: 0 success, 1 a check failed, 2 configuration, 3 credentials refused, 4 unreachable or timed out.',
  handler: async ({ json }) => (await import('../check/auth-checks.js')).runAuthChecks({ json }),
});

export const authCommand = defineCommand({
  name: 'auth',
  describe: 'Check the passwordless sign-in',
  subcommands: [checkCommand],
});
