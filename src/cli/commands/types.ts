import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';
import type { TypesArguments } from '../actions/run-types.js';

/** `crf types`. */
export const typesCommand: CommandModule<GlobalArguments, TypesArguments> = {
  command: 'types',
  describe: 'Write the TypeScript of the project: createCrfClient<Project> knows it',
  builder: (yargs) =>
    yargs
      .option('output', {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'Write to this file instead of stdout',
      })
      .option('check', {
        type: 'string',
        requiresArg: true,
        describe: 'Compare this file with the project, and say what has changed',
      })
      .example('$0 types -o project.ts', 'Write the types of the project')
      .example('$0 types --check project.ts', 'Fail in CI when the project has changed')
      .epilogue(
        'Exit codes: 0 written, or up to date; 1 the project has changed since, or failed; 2 usage, 3 credentials refused, 4 unreachable or timed out.',
      )
      .conflicts('check', 'output'),
  handler: async (options) => {
    const { runTypes } = await import('../actions/run-types.js');
    process.exitCode = await runTypes(options);
  },
};
