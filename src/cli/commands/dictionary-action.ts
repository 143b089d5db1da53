import { parseChoices } from '../../domain/dictionary/choices.js';
import {
  countOrphans,
  dictionaryChanges,
  type DesignChange,
  type FlatRow,
  type Orphans,
} from '../../domain/dictionary/dictionary-changes.js';
import { parseDictionaryCsv, toDictionaryCsv } from '../../domain/dictionary/dictionary-csv.js';
import type { Field } from '../../domain/dictionary/field.js';
import { fieldsFromJson } from '../../domain/dictionary/fields-from-json.js';
import { confirm, type YesArguments } from '../options/confirm.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { CliError } from '../cli-error.js';
import { counted } from '../printing/counted.js';
import { printable } from '../printing/table.js';
import { withClient } from '../open-client.js';
import { readTextFile, type EncodingArguments } from '../files/read-text-file.js';

/** Prints the data dictionary. */
export async function getDictionary(options: GlobalArguments & { readonly json: boolean }): Promise<void> {
  await withClient(options, async ({ client }) => {
    const fields = await client.getMetadata();
    process.stdout.write(options.json ? `${JSON.stringify(fields, null, 2)}\n` : toDictionaryCsv(fields));
  });
}

/**
 * Replaces the data dictionary, after the user has seen and confirmed the changes.
 *
 * @throws {CliError} it would orphan stored values, and nobody has allowed that; nothing was changed
 */
export async function putDictionary(
  file: string,
  options: YesArguments & EncodingArguments & { readonly allowOrphans: boolean },
): Promise<void> {
  const sent = await fieldsOf(await readTextFile(file, 'file', options));
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    const before = await client.getMetadata();
    const missing = parseChoices((await client.getProjectInfo()).missingDataCodes);
    const changes = dictionaryChanges(before, sent, new Set(missing.map(({ code }) => code)));
    const orphans = await orphansOf(changes, before, () => client.streamRecords());
    process.stderr.write(changes.map((change) => `${changeInWords(change, orphans)}\n`).join(''));
    if (orphans.size > 0 && !options.allowOrphans)
      throw new CliError(
        'Nothing was changed: nobody would see these values any more. Keep the fields and choices, or use --allow-orphans.',
      );
    await confirm(`Replace the data dictionary: ${counted(changes.length, 'change')}`, options.yes);
    process.stdout.write(`${await client.dictionary.import(sent)}\n`);
  });
}

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
