import { parseDictionaryCsv, toDictionaryCsv } from '../../domain/dictionary/dictionary-csv.js';
import type { Field } from '../../domain/dictionary/field.js';
import { fieldsFromJson } from '../../domain/dictionary/fields-from-json.js';
import { DesignService } from '../../services/design/design-service.js';
import { CliError } from '../cli-error.js';
import { defineCommand, subcommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import { confirm } from '../options/confirm.js';
import { flag, needed, texts } from '../options/option.js';
import {
  DRY_RUN,
  ENCODING_OPTION,
  JSON_OPTION,
  refuseBlanks,
  toList,
  YES,
} from '../options/shared-options.js';
import { changed, changeInWords } from '../printing/design-change.js';
import { type Column, counted, printRows } from '../printing/table.js';

const COLUMNS: readonly Column<Field>[] = [
  { title: 'field', cell: ({ name }) => name },
  { title: 'instrument', cell: ({ instrument }) => instrument },
  {
    title: 'type',
    cell: ({ type, validationType }) => (validationType === '' ? type : `${type} (${validationType})`),
  },
  { title: 'required', cell: ({ isRequired }) => (isRequired ? 'yes' : '') },
  { title: 'label', cell: ({ label }) => label },
  { title: 'choices', cell: ({ choicesOrCalculations }) => choicesOrCalculations },
];

/** Replaces the data dictionary, after the user has seen and confirmed the changes. */
const putCommand = subcommand({
  usage: 'put <file>',
  describe: 'Replace the data dictionary with a CSV or JSON file; only in development',
  args: {
    file: needed('CSV, or JSON as `fields --json` prints it; - for standard input'),
    'allow-orphans': flag('Go on if stored values lose their field or choice'),
    ...ENCODING_OPTION,
    ...DRY_RUN,
    ...YES,
    ...JSON_OPTION,
  },
  examples: {
    '$0 fields put dictionary.csv':
      'Says what it changes, and which stored values that would orphan, and asks',
  },
  writes: async ({ client }, options, io) => {
    const sent = await fieldsOf(await readTextFile(options.file, io, 'file', options));
    const design = new DesignService(client);
    const preview = await design.putFields(sent, { dryRun: true, mayReadRecords: true });
    const { changes = [] } = preview;
    io.stderr.write(changes.map((change) => `${changeInWords(change)}\n`).join(''));
    if (changes.some(({ values }) => values !== undefined) && !options.allowOrphans)
      throw new CliError(
        'Nothing was changed: nobody would see these values any more. Keep the fields and choices, or use --allow-orphans.',
      );
    if (options.dryRun) return changed(preview, io);
    await confirm(`Replace the data dictionary: ${counted(changes.length, 'change')}`, options.yes, io);
    return changed(await design.putFields(sent), io);
  },
});

/** Prints the data dictionary; as CSV in REDCap's own form, which `crf fields put`, `crf sandbox --dictionary` and REDCap's web page read. */
export const command = defineCommand({
  args: {
    fields: texts('Only these fields'),
    forms: texts('Only the fields of these instruments'),
    ...JSON_OPTION,
    csv: flag("Print CSV in the format of REDCap's data dictionary"),
  },
  examples: { '$0 fields --csv > dictionary.csv': 'Save the data dictionary' },
  subcommands: [putCommand],
  check: ({ fields, forms }) => refuseBlanks({ fields, forms }),
  reads: async ({ client }, { fields: names, forms, ...options }, io) => {
    const fields = await client.fields.list({ fields: toList(names), forms: toList(forms) });
    return options.csv ? toDictionaryCsv(fields) : printRows(fields, COLUMNS, options, io);
  },
});

/** Detects JSON by its first bracket, which no header of a dictionary has. */
async function fieldsOf(text: string): Promise<Field[]> {
  const start = text.trimStart()[0];
  if (start === '[') return fieldsFromJson(`{"data":${text}}`);
  return start === '{' ? fieldsFromJson(text) : parseDictionaryCsv(text);
}
