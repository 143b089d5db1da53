import { defineCommand, type ArgumentsOf } from '../define-command.js';

const args = {
  output: {
    alias: 'o',
    type: 'string',
    requiresArg: true,
    describe: 'Write to this file instead of stdout',
  },
  check: {
    type: 'string',
    requiresArg: true,
    conflicts: 'output',
    describe: 'Compare this file with the project, and say what has changed',
  },
} as const;

export type TypesArguments = ArgumentsOf<typeof args>;

export const typesCommand = defineCommand({
  name: 'types',
  describe: 'Write the TypeScript of the project: createCrfClient<Project> knows it',
  args,
  examples: [
    ['$0 types -o project.ts', 'Write the types of the project'],
    ['$0 types --check project.ts', 'Fail in CI when the project has changed'],
  ],
  epilogue:
    'Exit codes: 0 written, or up to date; 1 the project has changed since, or failed; 2 usage, 3 credentials refused, 4 unreachable or timed out.',
  handler: async (options) => (await import('./types-action.js')).runTypes(options),
});
