import { DICTIONARY_COLUMNS, toDictionaryRow } from '../../../domain/dictionary/dictionary-csv.js';
import { reads, writes, type Content, type ContentCall } from '../content.js';
import { dataRows } from '../data-rows.js';
import { readDictionary, replaceDictionary } from '../read-dictionary.js';
import { type Answer, integerAnswer, listAnswer } from '../wire/answer.js';
import { refuseUnknown } from '../wire/api-failure.js';

/** @see docs/protocol/redcap.md 8.1 (wire), 8.8 (doc, client) */
export const metadata: Content = {
  name: 'metadata',
  actions: {
    export: reads('Export metadata', exportDictionary),
    import: writes('Import metadata', importDictionary, 'design'),
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
