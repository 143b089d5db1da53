import { DICTIONARY_COLUMNS, toDictionaryRow } from '../../../domain/dictionary/dictionary-csv.js';
import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import { TEXT_VALIDATIONS } from '../../../domain/dictionary/text-validations.js';
import type { ContentCall } from '../content.js';
import { dataRows } from '../data-rows.js';
import { readDictionary, replaceDictionary } from '../read-dictionary.js';
import { type Answer, integerAnswer, listAnswer, tableAnswer } from '../wire/answer.js';
import { invalidParameter, refuseUnknown } from '../wire/api-failure.js';

/** @see docs/protocol/redcap.md 8.1 (wire) */
export function exportDictionary({ project, parameters }: ContentCall): Answer {
  const [fields, forms] = [parameters.list('fields'), parameters.list('forms')];
  refuseUnknown('fields', fields, (name) => project.dictionary.field(name) !== undefined);
  refuseUnknown('forms', forms, (name) => project.instrument(name) !== undefined);
  const isWanted = ({ name, instrument }: { name: string; instrument: string }): boolean =>
    (fields === undefined && forms === undefined) ||
    (fields?.includes(name) ?? false) ||
    (forms?.includes(instrument) ?? false);
  return listAnswer(project.dictionary.fields.filter(isWanted).map(toDictionaryRow), DICTIONARY_COLUMNS);
}

/**
 * Replaces the whole dictionary; fields that are not sent are removed. Answers with the number of fields.
 *
 * @see docs/protocol/redcap.md 8.8 (doc, client)
 */
export function importDictionary(call: ContentCall): Answer {
  const fields = readDictionary(dataRows(call));
  replaceDictionary(call.project, fields);
  return integerAnswer(fields.length, call);
}

/**
 * Includes calculated fields and form status, but no file or descriptive fields.
 *
 * @see docs/protocol/redcap.md 8.6 (client)
 */
export function exportFieldNames({ project, parameters }: ContentCall): Answer {
  const [only] = parameters.list('field') ?? [];
  if (only !== undefined && !project.hasField(only)) throw invalidParameter('field');
  const columns = project.columns
    .filter(({ field }) => field?.type !== 'file')
    .filter(({ name, field }) => only === undefined || (field?.name ?? name) === only);
  return tableAnswer<ExportColumn>(columns, {
    original_field_name: ({ name, field }) => field?.name ?? name,
    choice_value: ({ choice }) => choice?.code ?? '',
    export_field_name: ({ name }) => name,
  });
}

/** The text validation types of the server. @see docs/protocol/redcap.md 8.5 (client) */
export function exportValidations(): Answer {
  const rows = [...TEXT_VALIDATIONS].sort(([left], [right]) => (left < right ? -1 : 1));
  return tableAnswer(rows, {
    validation_type: ([name]) => name,
    regex: ([, { pattern }]) => String(pattern),
  });
}
