import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { type Command, defineCommand, subcommand, type Subcommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import type { DesignLists } from '../../services/design/design-lists.js';
import type { DeletableList } from '../../services/design/design-service.js';
import {
  armNumbers,
  deleteFromList,
  entriesOf,
  type ListName,
  PROJECT_LISTS,
  type ProjectList,
  putList,
  type Row,
} from '../lists.js';
import { confirm } from '../options/confirm.js';
import { flag, needed, neededTexts, text, texts } from '../options/option.js';
import {
  DRY_RUN,
  ENCODING_OPTION,
  JSON_OPTION,
  refuseBlanks,
  ROW_OPTIONS,
  toList,
  YES,
} from '../options/shared-options.js';
import { changed } from '../printing/design-change.js';
import { type Column, namesInWords, printRows } from '../printing/table.js';

const file = needed('JSON file; - for standard input');
const REPLACE = {
  replace: flag('Delete what is not in the file, with everything that is stored there'),
} as const;

/** Returns `crf arms`, `crf arms put FILE`, `crf arms delete 2`, or the same for another list of the project. */
export function listCommand(name: ListName): Command {
  const list: ProjectList = PROJECT_LISTS[name];
  // Nested rights are only in `--json`.
  const columns: readonly Column<Row>[] = list.columns.map((title) => ({
    title,
    cell: (row) =>
      typeof row[title] === 'string' || typeof row[title] === 'number' ? String(row[title]) : '',
  }));
  return defineCommand({
    args: {
      ...(list.selectedBy === 'arms' && { arms: texts('Only these arms') }),
      ...(list.selectedBy === 'field' && { field: text('Only the columns of this field') }),
      ...ROW_OPTIONS,
    },
    subcommands: [
      ...putCommand(name, list),
      ...deleteCommand(name, list),
      ...(name === 'dags' ? [switchCommand] : []),
    ],
    check: ({ arms }) => refuseBlanks({ arms }),
    reads: async ({ client }, { arms, field, ...options }, io) => {
      const selection = {
        ...(arms && { arms: armNumbers(toList(arms) ?? []) }),
        ...(field !== undefined && { field }),
      };
      printRows((await list.list(client, selection)) as readonly Row[], columns, options, io);
    },
  });
}

function putCommand(name: ListName, list: ProjectList): Subcommand[] {
  const { puts } = list;
  if (puts === undefined || !isPut(name)) return [];
  const { does, replaces } = puts;
  const command = subcommand({
    usage: 'put <file>',
    describe: `${capitalised(does)}, from a JSON file as --json prints it`,
    args: {
      file,
      ...ENCODING_OPTION,
      ...(replaces === 'on request' && REPLACE),
      ...DRY_RUN,
      ...(replaces !== undefined && YES),
      ...JSON_OPTION,
    },
    examples: {
      [`$0 ${name} --json > list.json; $0 ${name} put list.json`]: 'The file that it prints can be sent back',
    },
    writes: async ({ client }, { replace = false, yes = false, dryRun, ...options }, io) => {
      const mayDelete = replace || replaces === 'always';
      const ends = replace ? `, and delete all other ${name} with what is stored there` : '';
      const entries = entriesOf(await readTextFile(options.file, io, 'file', options), list);
      if (mayDelete && entries.length > 0 && !dryRun) await confirm(`${capitalised(does)}${ends}`, yes, io);
      if (entries.length === 0 && mayDelete && (await list.list(client)).length > 0)
        throw new InvalidRequestError([
          { field: 'file', message: 'is empty, which would delete everything' },
        ]);
      const nothing = { count: 0, ...(dryRun && { dryRun: true as const }) };
      const choice = { replace, dryRun };
      return changed(entries.length === 0 ? nothing : await putList(client, name, entries, choice), io);
    },
  });
  return [command];
}

function deleteCommand(name: ListName, list: ProjectList): Subcommand[] {
  const { deletes } = list;
  if (deletes === undefined || !isDeletable(name)) return [];
  const does = capitalised(deletes.does);
  // One of five names; for the types, that of the arms.
  const argument = `${deletes.argument}s` as 'arms';
  const command = subcommand({
    usage: `delete <${argument}..>`,
    describe: does,
    args: {
      [argument]: neededTexts(`Each ${deletes.argument} to delete`),
      ...DRY_RUN,
      ...YES,
      ...JSON_OPTION,
    },
    confirms: ({ [argument]: names }) => `${does}: ${namesInWords(names.map(String))}`,
    writes: async ({ client }, { [argument]: names, dryRun }, io) =>
      changed(await deleteFromList(client, name, names.map(String), { dryRun }), io),
  });
  return [command];
}

function isPut(name: ListName): name is ListName & keyof DesignLists {
  return Object.hasOwn(PROJECT_LISTS[name], 'puts');
}

function isDeletable(name: ListName): name is ListName & DeletableList {
  return Object.hasOwn(PROJECT_LISTS[name], 'deletes');
}

/** Changes which records every program with this token sees. */
const switchCommand = subcommand({
  usage: 'switch [dag]',
  describe: 'Put the user of the token into another data access group, or without one into none',
  args: { dag: text('Unique name of the group', { default: '' }), ...YES, ...JSON_OPTION },
  confirms: ({ dag }) => {
    const group = dag === '' ? 'no data access group' : `the data access group "${dag}"`;
    return `Put the user of the token into ${group}, for every program that uses the token`;
  },
  writes: async ({ client }, { dag }) => {
    await client.dags.switch(dag);
    return { data: { dag }, text: '' };
  },
});

function capitalised(does: string): string {
  return `${does.charAt(0).toUpperCase()}${does.slice(1)}`;
}
