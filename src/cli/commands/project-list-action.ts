import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { confirm, type YesArguments } from '../options/confirm.js';
import { namesInWords } from '../printing/names-in-words.js';
import { withClient } from '../open-client.js';
import { printRows, type FormArguments } from '../printing/print-rows.js';
import { readTextFile, type EncodingArguments } from '../files/read-text-file.js';
import type { ListName } from './project-lists.js';
import { columnsOf, entriesOf, PROJECT_LISTS, type ListOperations } from './project-list-table.js';

/** Prints a list of the project. */
export async function printList(name: ListName, form: FormArguments): Promise<void> {
  const list = operationsOf(name);
  const columns = columnsOf(list);
  await withClient(form, async ({ client }) => {
    const rows = (await list.list(client)) as Readonly<Record<string, unknown>>[];
    printRows(rows, { table: columns }, form);
  });
}

interface PutWork {
  readonly isReplacement: boolean;
  /** The question to confirm; undefined if no data can be lost. */
  readonly question: string | undefined;
}

/** Imports the entries of a file. @throws {InvalidRequestError} the file is not a list of valid entries */
export async function putEntries(
  name: ListName,
  options: YesArguments & EncodingArguments & { readonly file: string },
  { isReplacement, question }: PutWork,
): Promise<void> {
  const list = operationsOf(name);
  const entries = entriesOf(await readTextFile(options.file, 'file', options), list);
  if (question !== undefined && entries.length > 0) await confirm(question, options.yes);
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    if (entries.length === 0 && question !== undefined && (await list.list(client)).length > 0)
      throw new InvalidRequestError([{ field: 'file', message: 'is empty, which would delete everything' }]);
    const count = entries.length === 0 ? 0 : await list.put?.(client, entries, { isReplacement });
    process.stdout.write(`${count}\n`);
  });
}

/** Deletes entries by name. */
export async function deleteEntries(
  name: ListName,
  names: readonly string[],
  { does, ...options }: YesArguments & { readonly does: string },
): Promise<void> {
  await confirm(`${does}: ${namesInWords(names)}`, options.yes);
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    const count = await operationsOf(name).delete?.(client, names);
    process.stdout.write(`${count}\n`);
  });
}

/** Moves the user of the token to another data access group. */
export async function switchDag(dag: string, options: YesArguments): Promise<void> {
  const group = dag === '' ? 'no data access group' : `the data access group "${dag}"`;
  await confirm(
    `Put the user of the token into ${group}, for every program that uses the token`,
    options.yes,
  );
  await withClient({ ...options, needsProject: true }, ({ client }) => client.dags.switch(dag));
}

/** Does not compile if a command of `commands/project-lists.ts` has no operations. */
function operationsOf(name: ListName): ListOperations {
  return PROJECT_LISTS[name];
}
