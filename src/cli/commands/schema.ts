import { projectSchema } from '../../domain/dictionary/project-schema/project-schema.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { defineCommand } from '../command.js';
import { choice } from '../options/option.js';

export const command = defineCommand({
  args: {
    values: choice('Text as REDCap has it, or typed values', ['raw', 'typed'], { default: 'typed' }),
  },
  examples: { '$0 schema > project.schema.json': 'Save the schema' },
  reads: async ({ client, settings }, { values }) => {
    const { recordIdMinLength } = settings.project.imports;
    const schema = projectSchema(await loadProjectStructure(client), { values, recordIdMinLength });
    return JSON.stringify(schema, null, 2);
  },
});
