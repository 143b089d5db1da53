import type { Command, Listed } from './command.js';
import type { ListName } from './lists.js';

/** A command whose file is loaded when it is called, so that `crf --help` loads none. */
export interface ListedCommand extends Listed {
  readonly load: () => Promise<Command>;
}

function listed(
  usage: string,
  describe: string,
  load: () => Promise<{ readonly command: Command }>,
): ListedCommand {
  return { usage, describe, load: async () => (await load()).command };
}

async function list(name: ListName): Promise<{ readonly command: Command }> {
  return { command: (await import('./commands/lists.js')).listCommand(name) };
}

/** All commands, in the order of the help and of `docs/command-line.md`. */
export const COMMANDS: readonly ListedCommand[] = [
  listed(
    'check',
    'Check the connection to REDCap, step by step; with PROJECTS_FILE, of every project',
    () => import('./commands/check.js'),
  ),
  listed(
    'conformance',
    'Try every operation on REDCap, and report where it differs from its documentation',
    () => import('./commands/conformance.js'),
  ),
  listed(
    'serve',
    'Serve the project as a REST API (set HOST, PORT, API_KEYS etc.)',
    () => import('./commands/serve.js'),
  ),
  listed(
    'sandbox',
    "Run only the REDCap sandbox: REDCap's API on loopback, kept in memory",
    () => import('./commands/sandbox.js'),
  ),
  listed('version', "Print REDCap's version", () => import('./commands/version.js')),
  listed('info', 'Show the project: title, status and features', () => import('./commands/info.js')),
  listed(
    'summary',
    'Show how the study goes: recruitment, form statuses, missing data',
    () => import('./commands/summary.js'),
  ),
  listed(
    'incomplete',
    'List the forms that are not complete or not begun, as CSV for a spreadsheet',
    () => import('./commands/incomplete.js'),
  ),
  listed(
    'due',
    'List the visits that are overdue or due, as CSV for a spreadsheet, or as JSON',
    () => import('./commands/due.js'),
  ),
  listed(
    'fields',
    'List the fields of the project: name, instrument, type, choices, label',
    () => import('./commands/fields.js'),
  ),
  listed(
    'instruments',
    'List the instruments of the project: name, number of fields, label',
    () => import('./commands/instruments.js'),
  ),
  listed(
    'user <email>',
    'Find a user by email address and print the user id',
    () => import('./commands/user.js'),
  ),
  listed('dictionary', 'Read or replace the data dictionary', () => import('./commands/dictionary.js')),
  listed('records', 'Delete, rename or randomize single records', () => import('./commands/records.js')),
  listed(
    'settings',
    'Change settings of the project; crf info --json prints them',
    () => import('./commands/settings.js'),
  ),
  listed('arms', 'List, add, rename or delete the arms', () => list('arms')),
  listed('events', 'List, add, change or delete the events', () => list('events')),
  listed('mappings', 'List or replace the instruments of each event', () => list('mappings')),
  listed('repeating', 'List or replace the repeating instruments and events', () => list('repeating')),
  listed('dags', 'List, make, rename or delete the data access groups', () => list('dags')),
  listed('dag-assignments', 'List or change who is in which data access group', () =>
    list('dag-assignments'),
  ),
  listed('users', 'List, add, change or remove the users of the project', () => list('users')),
  listed('roles', 'List, make, change or delete the roles', () => list('roles')),
  listed('role-assignments', 'List or change who has which role', () => list('role-assignments')),
  listed('export-columns', 'List what each field becomes in an export', () => list('export-columns')),
  listed('validations', 'List the text validations of this REDCap', () => list('validations')),
  listed(
    'export',
    'Export any number of records to a file or to stdout',
    () => import('./commands/export.js'),
  ),
  listed(
    'import <file>',
    'Import records from a file or stdin (-), validated against the data dictionary',
    () => import('./commands/import.js'),
  ),
  listed(
    'undo <file>',
    'Undo an import: restore the values that it changed, and delete the records that it created',
    () => import('./commands/undo.js'),
  ),
  listed(
    'sync',
    'Keep a copy of the project in a database or in files, up to date and checked',
    () => import('./commands/sync.js'),
  ),
  listed(
    'changes',
    'Print what changed as NDJSON: created, changed, renamed, deleted, regrouped records',
    () => import('./commands/changes.js'),
  ),
  listed('report <id>', 'Export a report that was defined in REDCap', () => import('./commands/report.js')),
  listed('file', 'Download, upload or delete the file of a record', () => import('./commands/file.js')),
  listed(
    'files',
    'List, describe, download, upload or delete files of the file repository',
    () => import('./commands/files.js'),
  ),
  listed(
    'pdf [record]',
    'Save forms as PDF: blank, or with the data of a record',
    () => import('./commands/pdf.js'),
  ),
  listed(
    'policy',
    'Check, test, explain and accept what callers of the service see of the project',
    () => import('./commands/policy.js'),
  ),
  listed(
    'log',
    'Show who did what in the project, the newest first; names of fields, no values',
    () => import('./commands/log.js'),
  ),
  listed('survey', 'Survey links, codes and participants', () => import('./commands/survey.js')),
  listed('project', 'The project as a whole', () => import('./commands/project.js')),
  listed(
    'backup <folder>',
    'Save the whole project in a folder, or bring a backup up to date',
    () => import('./commands/backup.js'),
  ),
  listed(
    'restore <folder>',
    'Put a backup into an empty project, read it back, and list what differs',
    () => import('./commands/restore.js'),
  ),
  listed('projects', 'List and check the projects of PROJECTS_FILE', () => import('./commands/projects.js')),
  listed(
    'quality',
    'Check all stored records against the rules of the project',
    () => import('./commands/quality.js'),
  ),
  listed(
    'types',
    'Write the TypeScript of the project: createCrfClient<Project> knows it',
    () => import('./commands/types.js'),
  ),
  listed(
    'schema',
    'Print the rows of each instrument as a JSON Schema (2020-12)',
    () => import('./commands/schema.js'),
  ),
  listed('key', 'Manage the API keys of this service', () => import('./commands/key.js')),
  listed('auth', 'Check the passwordless sign-in', () => import('./commands/auth.js')),
  listed('audit', 'Check and search the audit log of the service', () => import('./commands/audit.js')),
];
