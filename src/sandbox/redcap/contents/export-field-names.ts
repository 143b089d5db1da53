import type { Content, ContentCall } from '../content.js';
import { type Answer, listAnswer } from '../wire/answer.js';
import { invalidParameter } from '../wire/api-failure.js';

/**
 * Includes calculated fields and form status, but no file or descriptive fields.
 *
 * @see docs/protocol/redcap.md 8.6 (client)
 */
export const exportFieldNames: Content = {
  name: 'exportFieldNames',
  actions: { export: { rights: ['api_export'], run: exportNames } },
};

function exportNames({ project, parameters }: ContentCall): Answer {
  const [only] = parameters.list('field') ?? [];
  if (only !== undefined && !project.hasField(only)) throw invalidParameter('field');
  const rows = project.columns
    .filter(({ field }) => field?.type !== 'file')
    .map(({ name, field, choice }) => ({
      original_field_name: field?.name ?? name,
      choice_value: choice?.code ?? '',
      export_field_name: name,
    }))
    .filter((row) => only === undefined || row.original_field_name === only);
  return listAnswer(rows, ['original_field_name', 'choice_value', 'export_field_name']);
}
