import { isDeepStrictEqual } from 'node:util';
import { parseDictionaryCsv, toDictionaryCsv } from '../../dictionary/dictionary-csv.js';
import type { Field } from '../../dictionary/field.js';
import { fieldsFromJson } from '../../dictionary/fields-from-json.js';
import { confirm, type YesArguments } from '../options/confirm.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { namesInWords } from '../printing/names-in-words.js';
import { withClient } from '../open-client.js';
import { readTextFile } from '../files/read-text-file.js';

/** Prints the data dictionary. */
export async function getDictionary(options: GlobalArguments & { readonly json: boolean }): Promise<void> {
  await withClient(options, async ({ client }) => {
    const fields = await client.getMetadata();
    process.stdout.write(options.json ? `${JSON.stringify(fields, null, 2)}\n` : toDictionaryCsv(fields));
  });
}

/** Replaces the data dictionary, after the user has confirmed the changes. */
export async function putDictionary(file: string, options: YesArguments): Promise<void> {
  const sent = fieldsOf(await readTextFile(file));
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    await confirm(changesInWords(await client.getMetadata(), sent), options.yes);
    process.stdout.write(`${await client.dictionary.import(sent)}\n`);
  });
}

/** Detects JSON by its first bracket, which no header of a dictionary has. */
function fieldsOf(text: string): Field[] {
  const start = text.trimStart()[0];
  if (start === '[') return fieldsFromJson(`{"fields":${text}}`);
  return start === '{' ? fieldsFromJson(text) : parseDictionaryCsv(text);
}

/** Describes the changes between two dictionaries, as a question to the user. */
function changesInWords(before: readonly Field[], after: readonly Field[]): string {
  const [known, sent] = [before, after].map((fields) => new Map(fields.map((field) => [field.name, field])));
  const added = after.filter(({ name }) => !known?.has(name));
  const removed = before.filter(({ name }) => !sent?.has(name));
  const changed = after.filter((field) => {
    const old = known?.get(field.name);
    return old !== undefined && !isDeepStrictEqual({ ...old }, { ...field });
  });
  const parts = [
    `Replace the data dictionary: add ${added.length}, change ${changed.length} and remove ${removed.length} fields`,
    ...(removed.length === 0
      ? []
      : [`removed with everything that is stored in them: ${namesInWords(removed.map(({ name }) => name))}`]),
  ];
  return parts.join('; ');
}
