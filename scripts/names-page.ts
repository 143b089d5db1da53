// Generates docs/names.md: what each thing is called by the REST API, the client, the command line and the pages.
import { writeFileSync } from 'node:fs';
import { REACH } from './coverage-page.js';

/** One operation in the three places where a program meets it. */
export interface Named {
  /** Operation of the REST API, relative to `/api/v1`. */
  readonly rest: string;
  /** Method of the client, relative to `client`; missing if only the service does this. */
  readonly client?: string | undefined;
  /** Command, without `crf`. */
  readonly cli?: string | undefined;
}

/** What the REST API has beyond REDCap's own contents, which `REACH` lists. */
const BEYOND_REDCAP: readonly Named[] = [
  { rest: 'GET /instruments/{instrument}/rows', client: 'rows', cli: 'export' },
  { rest: 'GET /project/summary', cli: 'summary' },
  { rest: 'GET /project/quality', cli: 'quality' },
  { rest: 'GET /project/incomplete', cli: 'incomplete' },
  { rest: 'GET /project/due', cli: 'due' },
  { rest: 'GET /project/types', cli: 'types' },
  { rest: 'GET /project/schema', cli: 'schema' },
  { rest: 'GET /people/{email}', cli: 'people' },
  { rest: 'GET /projects', cli: 'projects list' },
];

/** Every operation that a command or a method of the client has, too. */
export const NAMED: readonly Named[] = [
  ...Object.values(REACH).flatMap(({ rest, client, cli }) =>
    rest === undefined ? [] : [{ rest, client, cli }],
  ),
  ...BEYOND_REDCAP,
];

/** Where a command or a method is not named as the route, and why. */
export const OTHERWISE_NAMED: Readonly<Record<string, string>> = {
  export: 'REDCap exports records, and does not list them',
  import: 'REDCap imports records, and does not put them',
  exportRecords: 'the same',
  importRecords: 'the same',
  'fileRepository.size': 'REDCap has two calls for what the route answers at once',
};

/** What a name means, wherever it stands: as a parameter, an option, a property of the client, of an answer, of a page. */
export const NAMES: Readonly<Record<string, string>> = {
  record: 'a record, by its id',
  newRecord: 'the id that a record gets when it is renamed',
  field: 'a field, by its name',
  instrument: 'an instrument, by its unique name',
  event: 'an event, by its unique name',
  arm: 'an arm, by its number',
  instance: 'a repeat instance of an instrument or an event, from 1',
  dag: 'a data access group, by its unique name',
  dagId: 'the same by the number that REDCap gives it',
  role: 'a role, by its unique name',
  user: 'a user of the project, by the username',
  records: 'the records that are selected',
  fields: 'the fields that are selected',
  forms: 'the instruments whose fields are selected: the word of REDCap’s parameter',
  events: 'the events that are selected',
  arms: 'the arms that are selected',
  filterLogic: 'filter logic of REDCap, such as `[age] > 17`',
  from: 'the beginning of a period: a day, a moment, or as long ago as `24h`',
  until: 'the end of a period: the same; a day counts until its last second',
  limit: 'at most so many entries in all',
  pageSize: 'so many entries on each page',
  cursor: 'where to go on: as `next` of a page, or a line of `crf changes`, gave it',
  dryRun: 'check everything, change nothing, and say what would change',
};

/** Parameters of a route that a command, one command or a method of the client does not have, and why. */
export const ONLY_IN_ROUTES: Readonly<Record<string, string>> = {
  pageSize: 'commands and methods of the client go through the pages themselves',
  cursor: 'the same',
  trailer: 'where the exit code, or the end of the iteration, says that an answer is whole',
  spreadsheetSafe: 'the client returns rows, not CSV for a spreadsheet',
  encoding: 'the client takes rows or text, not the bytes of a file',
  sheet: 'the same',
  fileName: 'the client takes a file with its `name`',
  returnContent: 'crf import prints what was stored',
  backgroundProcess: 'crf import waits until the rows are stored',
  changes: 'crf import shows them with --diff',
};

/** Options that no route has, and why. */
export const ONLY_IN_COMMANDS: Readonly<Record<string, string>> = {
  ...reasons('every command has it', 'sandbox env-file projects-file project quiet verbose help'),
  ...reasons(
    'the file that is read or written',
    'output file force resume report diff-csv undo no-undo from-row',
  ),
  ...reasons('how a result is printed', 'json csv format excel workbook by-dag lang manifest check'),
  ...reasons('asks on a terminal, or does not', 'yes diff on-conflict allow-orphans'),
  ...reasons('the view of another caller, for whoever has the token', 'as policy'),
  ...reasons('several calls of the API', 'all export-files batch-size'),
  ...reasons('the form of a key', 'redcap'),
  ...reasons('stands in a header of the request', 'encoding media-type'),
};

function reasons(reason: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, reason]));
}

/** Parameters, properties and options that had other names before 0.1.0, which CHANGELOG.md lists. */
export const GONE: readonly string[] = [
  ...['dateRangeBegin', 'dateRangeEnd', 'changedSince', 'since'],
  ...['repeatInstance', 'armNumber', 'uniqueEventName', 'newName', 'fieldName', 'choiceCode', 'exportColumn'],
  ...['site', 'sites', 'group', 'bySite', 'dataAccessGroup', 'dataAccessGroupId', 'form', 'documentId'],
  ...[
    'exportColumns',
    'instrumentEventMappings',
    'repeatingInstruments',
    'fieldValidation',
    'logs',
    'survey',
  ],
  ...['getMetadata', 'getProjectInfo', 'exportFieldName', 'validations', 'mkdir', 'rm', 'filter'],
  ...['checkboxLabels', 'headerLabels', 'delimiter', 'decimal', 'surveyFields', 'overwrite', 'onlyNew'],
];

/** Returns the page. */
export function namesPage(): string {
  const things = Object.entries(NAMES).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  const code = (text: string | undefined, before = ''): string =>
    text === undefined ? '' : `\`${before}${text}\``;
  const operations = NAMED.map(
    ({ rest, client, cli }) => `| ${code(rest)} | ${code(cli, 'crf ')} | ${code(client)} |`,
  );
  const grouped = (table: Readonly<Record<string, string>>, write: (name: string) => string): string[] => {
    const byReason = new Map<string, string[]>();
    for (const [name, reason] of Object.entries(table))
      byReason.set(reason, [...(byReason.get(reason) ?? []), write(name)]);
    return [...byReason].map(([reason, names]) => `| ${names.join(' ')} | ${reason} |`);
  };
  return `# Names

Generated by \`npx tsx scripts/names-page.ts\` from one table. A test compares it with the OpenAPI document, the types of the client and \`crf --help\`.

**One thing has one name.** Where a route has the parameter \`filterLogic\`, the command has \`--filter-logic\`, the client \`filterLogic\`, and an answer or a page says the same. Parameters of REDCap keep REDCap's names. Verbs are \`list\`, \`get\`, \`put\` and \`delete\`, and \`create\` for what gets a new id.

## What a name means

| Name | Wherever it stands |
| --- | --- |
${things.join('\n')}

## What is called how

Routes are below \`/api/v1\`, methods below \`client\`. A command or method that is missing does not exist.

| REST | Command | Client |
| --- | --- | --- |
${operations.join('\n')}

## What stands on one surface only

| Parameter of a route | No option, or no property of the client, because |
| --- | --- |
${grouped(ONLY_IN_ROUTES, (name) => `\`${name}\``).join('\n')}

| Option of a command | No parameter, because |
| --- | --- |
${grouped(ONLY_IN_COMMANDS, (name) => `\`--${name}\``).join('\n')}

| Command or method | Not called as its route, because |
| --- | --- |
${grouped(OTHERWISE_NAMED, (name) => `\`${name}\``).join('\n')}
`;
}

if (import.meta.url === `file://${process.argv[1]}`)
  writeFileSync(new URL('../docs/names.md', import.meta.url), namesPage());
