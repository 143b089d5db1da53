import { defineCommand } from '../define-command.js';
import { JSON_ON_STDOUT } from '../options/output-options.js';

export const checkCommand = defineCommand({
  name: 'check',
  describe: 'Check the connection to REDCap, step by step; with PROJECTS_FILE, of every project',
  args: JSON_ON_STDOUT,
  examples: [
    ['$0 check --json | jq .ok', 'Use the result in a script'],
    ['$0 --project trial check', 'The steps of one of several projects'],
  ],
  epilogue:
    'Exit codes: 0 success, 1 a check failed, 2 configuration, 3 credentials refused, 4 unreachable or timed out.',
  handler: async (options) => (await import('../check/project-checks.js')).runChecksOfAll(options),
});
