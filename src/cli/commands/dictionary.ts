import { parseDictionaryCsv, toDictionaryCsv } from '../../domain/dictionary/dictionary-csv.js';
import type { Field } from '../../domain/dictionary/field.js';
import { fieldsFromJson } from '../../domain/dictionary/fields-from-json.js';
import { DesignService } from '../../services/design/design-service.js';
import { CliError } from '../cli-error.js';
import { defineCommand, subcommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import { withClient } from '../open-client.js';
import { confirm } from '../options/confirm.js';
import { flag, needed } from '../options/option.js';
import { DRY_RUN, ENCODING_OPTION, JSON_OPTION, YES } from '../options/shared-options.js';
import { changeInWords, printChange } from '../printing/design-change.js';
import { counted } from '../printing/table.js';

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
    ...DRY_RUN,
    ...YES,
  },
  examples: {
    '$0 dictionary put dictionary.csv':
      'Says what it changes, and which stored values that would orphan, and asks',
  },
  run: async (options, io) => {
    const sent = await fieldsOf(await readTextFile(options.file, io, 'file', options));
    await withClient({ ...options, needsProject: !options.dryRun }, io, async ({ client }) => {
      const design = new DesignService(client);
      const preview = await design.putFields(sent, { dryRun: true, mayReadRecords: true });
      const { changes = [] } = preview;
      io.stderr.write(changes.map((change) => `${changeInWords(change)}\n`).join(''));
      if (changes.some(({ values }) => values !== undefined) && !options.allowOrphans)
        throw new CliError(
          'Nothing was changed: nobody would see these values any more. Keep the fields and choices, or use --allow-orphans.',
        );
      if (options.dryRun) return printChange(preview, io);
      await confirm(`Replace the data dictionary: ${counted(changes.length, 'change')}`, options.yes, io);
      printChange(await design.putFields(sent), io);
    });
  },
});

export const command = defineCommand({
  subcommands: [getCommand, putCommand],
});

/** Detects JSON by its first bracket, which no header of a dictionary has. */
async function fieldsOf(text: string): Promise<Field[]> {
  const start = text.trimStart()[0];
  if (start === '[') return fieldsFromJson(`{"fields":${text}}`);
  return start === '{' ? fieldsFromJson(text) : parseDictionaryCsv(text);
}
