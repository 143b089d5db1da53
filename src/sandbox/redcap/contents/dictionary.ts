import { DICTIONARY_COLUMNS, toDictionaryRow } from '../../../domain/dictionary/dictionary-csv.js';
import type { Content } from '../content.js';
import type { ContentCall } from '../content-call.js';
import { dataRows } from '../data-rows.js';
import { readDictionary } from '../read-dictionary.js';
import { replaceDictionary } from '../replace-dictionary.js';
import type { Answer } from '../wire/answer.js';
import { refuseUnknown } from '../wire/api-failure.js';
import { integerAnswer } from '../wire/integer-answer.js';
import { listAnswer } from '../wire/list-answer.js';

/** @see docs/protocol/redcap.md 8.1 (wire), 8.8 (doc, client) */
export const metadata: Content = {
  name: 'metadata',
  actions: {
    export: { rights: ['api_export'], log: 'Export metadata (API)', run: exportDictionary },
    import: { rights: ['api_import', 'design'], log: 'Import metadata (API)', run: importDictionary },
  },
};

function exportDictionary({ project, parameters }: ContentCall): Answer {
  const [fields, forms] = [parameters.list('fields'), parameters.list('forms')];
  refuseUnknown('fields', fields, (name) => project.dictionary.field(name) !== undefined);
  refuseUnknown('forms', forms, (name) => project.instrument(name) !== undefined);
  const isWanted = ({ name, instrument }: { name: string; instrument: string }): boolean =>
    (fields === undefined && forms === undefined) ||
    (fields?.includes(name) ?? false) ||
    (forms?.includes(instrument) ?? false);
  return listAnswer(project.dictionary.fields.filter(isWanted).map(toDictionaryRow), DICTIONARY_COLUMNS);
}

/** Replaces the whole dictionary; fields that are not sent are removed. Answers with the number of fields. */
function importDictionary(call: ContentCall): Answer {
  const fields = readDictionary(dataRows(call));
  replaceDictionary(call.project, fields);
  return integerAnswer(fields.length, call);
}
