// Generates docs/reference/coverage.md: which parts of REDCap's API client, REST API, command line, door and sandbox support.
import { readFileSync, writeFileSync } from 'node:fs';
import { OPERATIONS } from '../src/door/pairs.js';
import { isInViews } from '../src/door/view-answers.js';
import { CONTENTS } from '../src/sandbox/redcap/content-table.js';

/** Where a content and action is available. Properties that are missing mean that it is not. */
interface Reach {
  /** Method of the client, relative to `client`. */
  readonly client?: string;
  /** Operation of the REST API, relative to `/api/v1`. */
  readonly rest?: string | undefined;
  /** Command, without `crf`. */
  readonly cli?: string;
}

/** All pairs of content and action that have a method. A test checks every name against the code. */
const CALLS: Readonly<Record<string, Omit<Reach, 'rest'>>> = {
  'record/export': { client: 'exportRecords', cli: 'export' },
  'record/import': { client: 'importRecords', cli: 'import' },
  'record/delete': { client: 'records.delete', cli: 'records delete' },
  'record/rename': {
    client: 'records.rename',
    cli: 'records rename',
  },
  'record/randomize': {
    client: 'records.randomize',
    cli: 'records randomize',
  },
  generateNextRecordName: {
    client: 'records.nextId',
    cli: 'records next-id',
  },
  'metadata/export': { client: 'fields.list', cli: 'fields' },
  'metadata/import': { client: 'fields.put', cli: 'fields put' },
  exportFieldNames: {
    client: 'exportFieldNames.list',
    cli: 'export-field-names',
  },
  'fieldValidation/export': {
    client: 'fieldValidations.list',
    cli: 'field-validations',
  },
  'instrument/export': { client: 'instruments.list', cli: 'instruments' },
  'pdf/export': { client: 'pdf.get', cli: 'pdf' },
  'formEventMapping/export': {
    client: 'mappings.list',
    cli: 'mappings',
  },
  'formEventMapping/import': {
    client: 'mappings.put',
    cli: 'mappings put',
  },
  'repeatingFormsEvents/export': {
    client: 'repeating.list',
    cli: 'repeating',
  },
  'repeatingFormsEvents/import': {
    client: 'repeating.put',
    cli: 'repeating put',
  },
  'event/export': { client: 'events.list', cli: 'events' },
  'event/import': { client: 'events.put', cli: 'events put' },
  'event/delete': { client: 'events.delete', cli: 'events delete' },
  'arm/export': { client: 'arms.list', cli: 'arms' },
  'arm/import': { client: 'arms.put', cli: 'arms put' },
  'arm/delete': { client: 'arms.delete', cli: 'arms delete' },
  'dag/export': { client: 'dags.list', cli: 'dags' },
  'dag/import': { client: 'dags.put', cli: 'dags put' },
  'dag/delete': { client: 'dags.delete', cli: 'dags delete' },
  'dag/switch': { client: 'dags.switch', cli: 'dags switch' },
  'userDagMapping/export': {
    client: 'dagAssignments.list',
    cli: 'dag-assignments',
  },
  'userDagMapping/import': {
    client: 'dagAssignments.put',
    cli: 'dag-assignments put',
  },
  'user/export': { client: 'users.list', cli: 'users' },
  'user/import': { client: 'users.put', cli: 'users put' },
  'user/delete': { client: 'users.delete', cli: 'users delete' },
  'userRole/export': { client: 'roles.list', cli: 'roles' },
  'userRole/import': { client: 'roles.put', cli: 'roles put' },
  'userRole/delete': { client: 'roles.delete', cli: 'roles delete' },
  'userRoleMapping/export': {
    client: 'roleAssignments.list',
    cli: 'role-assignments',
  },
  'userRoleMapping/import': {
    client: 'roleAssignments.put',
    cli: 'role-assignments put',
  },
  'project/export': { client: 'project.getInfo', cli: 'info' },
  'project/import': { client: 'project.create', cli: 'project create' },
  'project_settings/import': {
    client: 'project.putInfo',
    cli: 'info put',
  },
  'project_xml/export': { client: 'project.openXml', cli: 'project xml' },
  'file/export': { client: 'files.get', cli: 'files get' },
  'file/import': { client: 'files.put', cli: 'files put' },
  'file/delete': {
    client: 'files.delete',
    cli: 'files delete',
  },
  'fileinfo/export': {
    client: 'fileRepository.info',
    cli: 'file-repository info',
  },
  'filesize/export': {
    client: 'fileRepository.size',
    cli: 'file-repository info',
  },
  'fileRepository/list': {
    client: 'fileRepository.list',
    cli: 'file-repository list',
  },
  'fileRepository/export': {
    client: 'fileRepository.get',
    cli: 'file-repository get',
  },
  'fileRepository/createFolder': {
    client: 'fileRepository.createFolder',
    cli: 'file-repository create-folder',
  },
  'fileRepository/import': {
    client: 'fileRepository.put',
    cli: 'file-repository put',
  },
  'fileRepository/delete': {
    client: 'fileRepository.delete',
    cli: 'file-repository delete',
  },
  'surveyLink/export': {
    client: 'surveys.getLink',
    cli: 'surveys link',
  },
  'surveyQueueLink/export': {
    client: 'surveys.getQueueLink',
    cli: 'surveys queue-link',
  },
  'surveyReturnCode/export': {
    client: 'surveys.getReturnCode',
    cli: 'surveys return-code',
  },
  'surveyAccessCode/export': {
    client: 'surveys.getAccessCode',
    cli: 'surveys access-code',
  },
  'participantList/export': {
    client: 'surveys.listParticipants',
    cli: 'surveys participants',
  },
  'report/export': { client: 'reports.get', cli: 'reports get' },
  'log/export': { client: 'log.list', cli: 'log' },
  version: { client: 'getVersion', cli: 'version' },
};

/** All pairs of content and action that have a method, with their operation. */
export const REACH: Readonly<Record<string, Reach>> = Object.fromEntries(
  Object.entries(CALLS).map(([pair, calls]) => [pair, { ...calls, rest: OPERATIONS[pair] }]),
);

/** Pairs that are left out intentionally, with the reason. */
export const BLANKS: Readonly<Record<string, Partial<Record<'rest' | 'cli', string>>>> = {
  'dag/switch': { rest: 'on purpose: it would change what every caller sees' },
  'project/import': { rest: 'on purpose: it needs a super token' },
};

/** Pairs that even `client.call` cannot make, with the reason. */
const UNCALLABLE: Readonly<Record<string, string>> = {
  'file/import_app': 'not: it uploads a file, and `client.call` sends text',
};

const SOURCE = new URL('../docs/protocol/redcap.md', import.meta.url);
const TARGET = new URL('../docs/reference/coverage.md', import.meta.url);

/** Returns all contents and actions of REDCap's API, in the order of docs/protocol/redcap.md 3. */
export function pairsOfProtocol(): string[] {
  const text = readFileSync(SOURCE, 'utf8');
  const section = text.slice(text.indexOf('\n## 3. '), text.indexOf('\n## 4. '));
  const rows = section.split('\n').filter((line) => /^\| [a-z]/.test(line) && !line.startsWith('| content '));
  return rows.flatMap((row) => {
    const [, contents = '', actions = ''] = row.split('|').map((cell) => cell.trim());
    return contents.split(', ').flatMap((content) => {
      const name = content.replace(/ \(.*$/, '');
      const named = actions.split(' / ').filter((action) => action !== '' && action !== '-');
      return named.length === 0 ? [name] : named.map((action) => `${name}/${action}`);
    });
  });
}

/** Whether the sandbox implements a pair of content and action. */
export function isInSandbox(pair: string): boolean {
  // These do not depend on a project: the version, and the creation of projects with a super token.
  if (pair === 'version' || pair === 'project/import') return true;
  const [name = '', action = 'export'] = pair.split('/');
  const content = Object.hasOwn(CONTENTS, name) ? CONTENTS[name] : undefined;
  return content !== undefined && Object.hasOwn(content, action);
}

/** Returns the page. */
export function coveragePage(): string {
  const rows = pairsOfProtocol().map((pair) => {
    const reach = REACH[pair];
    if (reach === undefined) return `| ${pair} | ${UNCALLABLE[pair] ?? '`client.call`'} | | | | |`;
    const blank = (surface: 'rest' | 'cli'): string => BLANKS[pair]?.[surface] ?? '';
    const code = (text: string | undefined, surface: 'rest' | 'cli', prefix = ''): string =>
      text === undefined ? blank(surface) : `\`${prefix}${text}\``;
    const door = isInViews(pair) ? 'yes' : '';
    const sandbox = isInSandbox(pair) ? 'yes' : '';
    return `| ${pair} | \`${reach.client ?? ''}\` | ${code(reach.rest, 'rest')} | ${code(reach.cli, 'cli', 'crf ')} | ${door} | ${sandbox} |`;
  });
  return `# Coverage of REDCap's API

Generated by \`npx tsx scripts/coverage-page.ts\`; a test compares it with the code. The ${rows.length} pairs of content and action are those of section 3 of [the protocol reference](../protocol/redcap.md). Routes are below \`/api/v1\`. The contract tests run every method of the client against the sandbox, in each version of REDCap that it emulates. Only some versions of REDCap have the contents with \`client.call\`, and their answers are not typed.

[REDCap's own API](../any-client.md) answers each pair for a token without a policy that has the scopes of its route, or every scope where there is no route. The column says which pairs it answers for a token with a policy; the others are refused.

| Content and action | Client | REST | Command line | /api/ under a policy | Sandbox |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

if (import.meta.url === `file://${process.argv[1]}`) writeFileSync(TARGET, coveragePage());
