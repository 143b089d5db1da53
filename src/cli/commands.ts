import type { Command, Listed } from './command.js';
import type { ListName } from './lists.js';

/** A command whose file is loaded when it is called, so that `crf --help` loads none. */
export interface ListedCommand extends Listed {
  readonly load: () => Promise<Command>;
}

/** The commands of the lists of a project, which one file has. */
const LISTS: Readonly<Record<ListName, string>> = {
  arms: 'List, add, rename or delete the arms',
  events: 'List, add, change or delete the events',
  mappings: 'List or replace the instruments of each event',
  repeating: 'List or replace the repeating instruments and events',
  dags: 'List, make, rename or delete the data access groups',
  'dag-assignments': 'List or change who is in which data access group',
  users: 'List, add, change or remove the users of the project',
  roles: 'List, make, change or delete the roles',
  'role-assignments': 'List or change who has which role',
  'export-field-names': 'List what each field becomes in an export',
  'field-validations': 'List the text validations of this REDCap',
};

const { 'export-field-names': exportFieldNames, 'field-validations': fieldValidations, ...design } = LISTS;

/** What is called, and one line of help, in the order and the groups of the help and of the README. */
const HELP: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Look at the project': {
    info: 'Show the project, or change it: title, status and features',
    summary: 'Show how the study goes: recruitment, form statuses, missing data',
    instruments: 'List the instruments of the project: name, number of fields, label',
    fields: 'List the fields of the project, or replace the data dictionary',
    'people <email>': 'Find a user by email address and print the user id',
    log: 'Show who did what in the project, the newest first; names of fields, no values',
    version: "Print REDCap's version",
    'export-field-names': exportFieldNames,
    'field-validations': fieldValidations,
  },
  'Read data': {
    export: 'Export any number of records to a file or to stdout',
    reports: 'Get the rows of a report that was defined in REDCap',
    quality: 'Check all stored records against the rules of the project',
    incomplete: 'List the forms that are not complete or not begun, as CSV for a spreadsheet',
    due: 'List the visits that are overdue or due, as CSV for a spreadsheet, or as JSON',
    'pdf [record]': 'Save forms as PDF: blank, or with the data of a record',
    surveys: 'Survey links, codes and participants',
  },
  'Store data': {
    'import <file>': 'Import records from a file or stdin (-), validated against the data dictionary',
    'undo <file>':
      'Undo an import: restore the values that it changed, and delete the records that it created',
    records: 'Delete, rename or randomize single records',
    files: 'Get, put or delete the file of a record',
    'file-repository': 'List, describe, get, put or delete files of the file repository',
  },
  'Take a whole project along': {
    'backup <folder>': 'Save the whole project in a folder, or bring a backup up to date',
    'restore <folder>': 'Put a backup into an empty project, read it back, and list what differs',
    project: 'The project as a whole',
  },
  'Keep a copy': {
    sync: 'Keep a copy of the project in a database or in files, up to date and checked',
    changes: 'Print what changed as NDJSON: created, changed, renamed, deleted, regrouped records',
  },
  'Change the design and the users': {
    ...design,
  },
  'Write types': {
    types: 'Write the TypeScript of the project: createCrfClient<Project> knows it',
    schema: 'Print the rows of each instrument as a JSON Schema (2020-12)',
  },
  'Run the service': {
    serve: 'Serve the project as a REST API (set HOST, PORT, API_KEYS etc.)',
    check: 'Check the connection to REDCap, step by step; with PROJECTS_FILE, of every project',
    key: 'Manage the API keys of this service',
    policy: 'Check, test, explain and accept what callers of the service see of the project',
    audit: 'Check and search the audit log of the service',
    auth: 'Check the passwordless sign-in',
    projects: 'List and check the projects of PROJECTS_FILE',
    sandbox: "Run only the REDCap sandbox: REDCap's API on loopback, kept in memory",
    conformance: 'Try every operation on REDCap, and report where it differs from its documentation',
  },
};

/** All commands, in the order of the help and of `docs/reference/command-line.md`. */
export const COMMANDS: readonly (ListedCommand & { readonly group: string })[] = Object.entries(HELP).flatMap(
  ([group, commands]) =>
    Object.entries(commands).map(([usage, describe]) => ({
      group,
      usage,
      describe,
      load: () => commandOf(usage.replace(/ .*/, '')),
    })),
);

/**
 * @param help of any command
 * @returns the help, that of `crf` with the title of each group before its first command: yargs has no such groups
 */
export function grouped(help: string): string {
  if (!help.startsWith('crf <command>\n')) return help;
  const firsts = Object.entries(HELP).map(([title, commands]) => [Object.keys(commands)[0], title] as const);
  return [...firsts, ['completion', 'Use the shell'] as const].reduce(
    (text, [usage, title]) => text.replace(`\n  crf ${usage} `, `\n\n${title}:$&`),
    help.replace('\n\nCommands:', ''),
  );
}

/** A command has a file of its name. The bundle has all files of the folder, because it knows the folder. */
async function commandOf(name: string): Promise<Command> {
  if (isList(name)) return (await import('./commands/lists.js')).listCommand(name);
  return ((await import(`./commands/${name}.js`)) as { readonly command: Command }).command;
}

function isList(name: string): name is ListName {
  return Object.hasOwn(LISTS, name);
}
