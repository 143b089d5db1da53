import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';

interface SchemaArguments extends GlobalArguments {
  values: 'raw' | 'typed';
}

/** `crf schema`: prints the project as JSON Schema. */
export const schemaCommand: CommandModule<GlobalArguments, SchemaArguments> = {
  command: 'schema',
  describe: 'Print the rows of each instrument as a JSON Schema (2020-12)',
  builder: (yargs) =>
    yargs
      .option('values', {
        choices: ['raw', 'typed'] as const,
        default: 'typed' as const,
        describe: 'Text as REDCap has it, or typed values',
      })
      .example('$0 schema > project.schema.json', 'Save the schema'),
  handler: async (options) => {
    const [{ withClient }, { loadProjectStructure }, { projectSchema }] = await Promise.all([
      import('../open-client.js'),
      import('../../records/load-project-structure.js'),
      import('../../dictionary/project-schema/project-schema.js'),
    ]);
    await withClient(options, async ({ client, settings: { values } }) => {
      const recordIdMinLength = values.RECORD_ID_MIN_LENGTH;
      const schema = projectSchema(await loadProjectStructure(client), {
        values: options.values,
        recordIdMinLength,
      });
      process.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
    });
  },
};
