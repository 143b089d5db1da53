import { defineCommand, type Command } from '../define-command.js';
import { ENCODING_OPTION, ROW_OPTIONS, YES } from '../options/output-options.js';

/** What the help says of a list of the project. Its operations are in `project-list-table.ts`. */
interface ProjectList {
  readonly describe: string;
  readonly put?: {
    /** What `put` does, for help and confirmation. */
    readonly does: string;
    /** When `put` deletes entries that are not in the file. */
    readonly replaces?: 'always' | 'on request';
  };
  /** The argument of `delete`, and what it does, for help and confirmation. */
  readonly delete?: { readonly argument: string; readonly does: string };
}

/** The lists of a project, in the order of the help. */
const LISTS = {
  arms: {
    describe: 'List, add, rename or delete the arms',
    put: { does: 'add or rename arms', replaces: 'on request' },
    delete: { argument: 'number', does: 'delete arms with their events and everything that is stored there' },
  },
  events: {
    describe: 'List, add, change or delete the events',
    put: { does: 'add or change events', replaces: 'on request' },
    delete: { argument: 'event', does: 'delete events with everything that is stored there' },
  },
  mappings: {
    describe: 'List or replace the instruments of each event',
    put: { does: 'replace all instrument-event mappings', replaces: 'always' },
  },
  repeating: {
    describe: 'List or replace the repeating instruments and events',
    put: { does: 'replace everything that repeats', replaces: 'always' },
  },
  dags: {
    describe: 'List, make, rename or delete the data access groups',
    put: { does: 'make or rename data access groups' },
    delete: { argument: 'dag', does: 'delete data access groups; their records then belong to none' },
  },
  'dag-assignments': {
    describe: 'List or change who is in which data access group',
    put: { does: 'put users into data access groups' },
  },
  users: {
    describe: 'List, add, change or remove the users of the project',
    put: { does: 'add users or change their rights' },
    delete: { argument: 'username', does: 'take users out of the project' },
  },
  roles: {
    describe: 'List, make, change or delete the roles',
    put: { does: 'make or change roles' },
    delete: { argument: 'role', does: 'delete roles; their users then have none' },
  },
  'role-assignments': {
    describe: 'List or change who has which role',
    put: { does: 'give users their roles' },
  },
  'export-columns': { describe: 'List what each field becomes in an export' },
  validations: { describe: 'List the text validations of this REDCap' },
} as const satisfies Readonly<Record<string, ProjectList>>;

export type ListName = keyof typeof LISTS;

const file = { type: 'string', demandOption: true, describe: 'JSON file; - for standard input' } as const;
const REPLACE = {
  replace: {
    type: 'boolean',
    default: false,
    describe: 'Delete what is not in the file, with everything that is stored there',
  },
} as const;

/** `crf arms`, `crf arms put FILE`, `crf arms delete 2`, and the same for the other lists of a project. */
export const listCommands: readonly Command[] = (Object.entries(LISTS) as [ListName, ProjectList][]).map(
  ([name, list]) =>
    defineCommand({
      name,
      describe: list.describe,
      args: ROW_OPTIONS,
      subcommands: [
        ...(list.put === undefined ? [] : [putCommand(name, list.put)]),
        ...(list.delete === undefined ? [] : [deleteCommand(name, list.delete)]),
        ...(name === 'dags' ? [switchCommand()] : []),
      ],
      handler: async (options) => (await import('./project-list-action.js')).printList(name, options),
    }),
);

function putCommand(name: ListName, { does, replaces }: NonNullable<ProjectList['put']>): Command {
  return defineCommand({
    name: 'put',
    describe: `${capitalised(does)}, from a JSON file as --json prints it`,
    args: {
      file,
      ...ENCODING_OPTION,
      ...(replaces === 'on request' && REPLACE),
      ...(replaces !== undefined && YES),
    },
    positionals: ['file'],
    examples: [
      [
        `$0 ${name} --json > ${name}.json; $0 ${name} put ${name}.json`,
        'The file that it prints can be sent back',
      ],
    ],
    handler: async ({ replace: isReplacement = false, yes = false, ...options }) => {
      const { putEntries } = await import('./project-list-action.js');
      const ends = isReplacement ? `, and delete all other ${name} with what is stored there` : '';
      const question = isReplacement || replaces === 'always' ? `${capitalised(does)}${ends}` : undefined;
      await putEntries(name, { ...options, yes }, { isReplacement, question });
    },
  });
}

function deleteCommand(name: ListName, { argument, does }: NonNullable<ProjectList['delete']>): Command {
  return defineCommand({
    name: 'delete',
    describe: capitalised(does),
    args: {
      names: { type: 'string', array: true, demandOption: true, describe: `Each ${argument} to delete` },
      ...YES,
    },
    positionals: ['names'],
    handler: async (options) => {
      const { deleteEntries } = await import('./project-list-action.js');
      await deleteEntries(name, options.names.map(String), { ...options, does: capitalised(does) });
    },
  });
}

/** `crf dags switch`: changes which records every program with this token sees. */
function switchCommand(): Command {
  return defineCommand({
    name: 'switch',
    describe: 'Put the user of the token into another data access group, or without one into none',
    args: { dag: { type: 'string', default: '', describe: 'Unique name of the group' }, ...YES },
    positionals: ['dag'],
    handler: async (options) => (await import('./project-list-action.js')).switchDag(options.dag, options),
  });
}

/** Starts a sentence with a capital letter. */
function capitalised(does: string): string {
  return `${does.charAt(0).toUpperCase()}${does.slice(1)}`;
}
