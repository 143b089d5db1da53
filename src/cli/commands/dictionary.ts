import { parseChoices } from '../../domain/dictionary/choices.js';
import {
  countOrphans,
  type DesignChange,
  dictionaryChanges,
  type FlatRow,
  type Orphans,
} from '../../domain/dictionary/dictionary-changes.js';
import { parseDictionaryCsv, toDictionaryCsv } from '../../domain/dictionary/dictionary-csv.js';
import type { Field } from '../../domain/dictionary/field.js';
import { fieldsFromJson } from '../../domain/dictionary/fields-from-json.js';
import { CliError } from '../cli-error.js';
import { defineCommand, subcommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import { withClient } from '../open-client.js';
import { confirm } from '../options/confirm.js';
import { flag, needed } from '../options/option.js';
import { ENCODING_OPTION, JSON_OPTION, YES } from '../options/shared-options.js';
import { counted, printable } from '../printing/table.js';

/** Prints the file format that `crf dictionary put` and REDCap's web page read. */
const getCommand = subcommand({
  usage: 'get',
  describe: 'Print the data dictionary as CSV, as REDCap reads it',
  args: JSON_OPTION,
  examples: { '$0 dictionary get > dictionary.csv': 'Save the data dictionary' },
  reads: async ({ client }, { json }) => {
    const fields = await client.getMetadata();
    return json ? JSON.stringify(fields, null, 2) : toDictionaryCsv(fields);
  },
});

/** Replaces the data dictionary, after the user has seen and confirmed the changes. */
const putCommand = subcommand({
  usage: 'put <file>',
  describe: 'Replace the data dictionary with a CSV or JSON file; only in development',
  args: {
    file: needed('CSV, or JSON as get --json prints it; - for standard input'),
    'allow-orphans': flag('Go on if stored values lose their field or choice'),
    ...ENCODING_OPTION,
    ...YES,
  },
  examples: {
    '$0 dictionary put dictionary.csv':
      'Says what it changes, and which stored values that would orphan, and asks',
  },
  run: async (options, io) => {
    const sent = await fieldsOf(await readTextFile(options.file, io, 'file', options));
    await withClient({ ...options, needsProject: true }, io, async ({ client }) => {
      const before = await client.getMetadata();
      const missing = parseChoices((await client.getProjectInfo()).missingDataCodes);
      const changes = dictionaryChanges(before, sent, new Set(missing.map(({ code }) => code)));
      const orphans = await orphansOf(changes, before, () => client.streamRecords());
      io.stderr.write(changes.map((change) => `${changeInWords(change, orphans)}\n`).join(''));
      if (orphans.size > 0 && !options.allowOrphans)
        throw new CliError(
          'Nothing was changed: nobody would see these values any more. Keep the fields and choices, or use --allow-orphans.',
        );
      await confirm(`Replace the data dictionary: ${counted(changes.length, 'change')}`, options.yes, io);
      io.stdout.write(`${await client.dictionary.import(sent)}\n`);
    });
  },
});

export const command = defineCommand({
  subcommands: [getCommand, putCommand],
});

/** Reads the records only if a change could orphan values. */
export async function orphansOf(
  changes: readonly DesignChange[],
  before: readonly Field[],
  rows: () => AsyncIterable<FlatRow>,
): Promise<Map<DesignChange, Orphans>> {
  const found = new Map<DesignChange, Orphans>();
  const hiding = changes.filter(({ orphans }) => orphans !== undefined);
  if (hiding.length > 0)
    for await (const row of rows()) countOrphans(hiding, row, before[0]?.name ?? '', found);
  return found;
}

/** `site: choice 3 "South" removed: 412 values in 398 records` */
export function changeInWords(change: DesignChange, orphans: ReadonlyMap<DesignChange, Orphans>): string {
  const found = orphans.get(change);
  const lost = found && `: ${counted(found.values, 'value')} in ${counted(found.records.size, 'record')}`;
  return `${printable(change.text)}${lost ?? ''}`;
}

/** Detects JSON by its first bracket, which no header of a dictionary has. */
async function fieldsOf(text: string): Promise<Field[]> {
  const start = text.trimStart()[0];
  if (start === '[') return fieldsFromJson(`{"fields":${text}}`);
  return start === '{' ? fieldsFromJson(text) : parseDictionaryCsv(text);
}
