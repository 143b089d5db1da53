import { projectSchema } from '../../domain/dictionary/project-schema/project-schema.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { defineCommand } from '../command.js';
import { withClient } from '../open-client.js';

export const command = defineCommand({
  args: {
    values: {
      choices: ['raw', 'typed'],
      default: 'typed',
      describe: 'Text as REDCap has it, or typed values',
    },
  },
  examples: [['$0 schema > project.schema.json', 'Save the schema']],
  run: ({ values, ...options }, io) =>
    withClient(options, io, async ({ client, settings }) => {
      const { recordIdMinLength } = settings.project.imports;
      const schema = projectSchema(await loadProjectStructure(client), { values, recordIdMinLength });
      io.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
    }),
});
