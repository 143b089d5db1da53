import { defineCommand } from '../define-command.js';

export const schemaCommand = defineCommand({
  name: 'schema',
  describe: 'Print the rows of each instrument as a JSON Schema (2020-12)',
  args: {
    values: {
      choices: ['raw', 'typed'],
      default: 'typed',
      describe: 'Text as REDCap has it, or typed values',
    },
  },
  examples: [['$0 schema > project.schema.json', 'Save the schema']],
  handler: async (options) => {
    const [{ withClient }, { loadProjectStructure }, { projectSchema }] = await Promise.all([
      import('../open-client.js'),
      import('../../records/load-project-structure.js'),
      import('../../domain/dictionary/project-schema/project-schema.js'),
    ]);
    await withClient(options, async ({ client, settings: { project } }) => {
      const { recordIdMinLength } = project.imports;
      const schema = projectSchema(await loadProjectStructure(client), {
        values: options.values,
        recordIdMinLength,
      });
      process.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
    });
  },
});
