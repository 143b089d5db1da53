import { text as textIn } from 'node:stream/consumers';
import { expect } from 'chai';
import { Secret } from '../../../src/domain/identifiers/secret.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { CallerViews } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { groupsStudy } from '../../support/groups-study.js';
import { callRedcap, multipartOf, redcapKey } from '../../support/redcap-door.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { startService, type TestService } from '../../support/start-service.js';

const POLICY = `version: 1
policies:
  site: { records: { dag: $caller.dag }, forms: { "*": write }, create: { prefix: N- }, files: write, log: read, reports: [1] }
  columns: { records: all, forms: { enrol: write, meds: write }, fields: { hide: [note] }, create: { prefix: N- }, files: write, log: read, reports: [1] }
  events: { records: all, events: [start_arm_1], forms: { "*": write }, log: read, reports: [1] }
  light: { records: { where: "[weight] < 1000" }, forms: { "*": write }, files: write, log: read, reports: [1] }
  coded: { records: all, forms: { "*": read }, deidentify: limited }
bindings:
  - { key: site, policy: site, dag: north }
  - { key: columns, policy: columns }
  - { key: events, policy: events }
  - { key: light, policy: light }
  - { key: coded, policy: coded }
`;

const RECORDS = ['N-1', 'SOUTH-1', 'SOUTH-2'] as const;
const WEIGHTS = { 'N-1': '71.5', 'SOUTH-1': '98765.4', 'SOUTH-2': '87654.2' } as const;
const HALVES = ['35.75', '49382.7', '43827.1'];

/** What is in one place alone: the field of a record, or its log. */
const textOf = (what: string, record: string): string => `the ${what} of ${record}`;
const ofSouth = (...fields: string[]): string[] =>
  fields.flatMap((field) => [textOf(field, 'SOUTH-1'), textOf(field, 'SOUTH-2')]);

/** The study of two groups, with a text of its own in every field of every record. */
function secretStudy(): Study {
  const study = groupsStudy();
  const rows = study.rows.map((row) => {
    const id = row['id'] as keyof typeof WEIGHTS;
    const texts = Object.keys(row).filter((name) => ['name', 'note', 'drug'].includes(name));
    return {
      ...row,
      ...Object.fromEntries(texts.map((name) => [name, textOf(name, id)])),
      ...('weight' in row && { weight: WEIGHTS[id] }),
      ...('redcap_survey_identifier' in row && { redcap_survey_identifier: textOf('person', id) }),
    };
  });
  const files = study.files?.map((file) => ({ ...file, bytes: Buffer.from(textOf('file', file.record)) }));
  const log = study.log?.map((entry) => ({ ...entry, details: textOf('log', entry.record ?? '') }));
  return { ...study, rows, files, log };
}

/** What nobody under a policy may be told, and the names that must not be told from those of nothing. */
interface Hidden {
  readonly texts: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

const OTHERS: Hidden = {
  texts: [
    ...ofSouth('name', 'note', 'drug', 'file', 'log', 'person'),
    ...HALVES.slice(1),
    ...Object.values(WEIGHTS).slice(1),
    ...RECORDS.slice(1),
  ],
  names: { 'SOUTH-1': 'NOBODY-1' },
};
const HIDDEN = {
  site: { ...OTHERS, names: { ...OTHERS.names, south: 'nowhe' } },
  columns: {
    texts: [...RECORDS.map((id) => textOf('note', id)), ...Object.values(WEIGHTS), ...HALVES],
    names: { note: 'nota', visit_complete: 'visix_complete', weight: 'weighx' },
  },
  events: {
    texts: [...Object.values(WEIGHTS), ...HALVES],
    names: { visit_arm_1: 'visix_arm_1' },
  },
  light: OTHERS,
  coded: {
    texts: [
      ...RECORDS,
      ...['name', 'note', 'drug', 'file', 'log', 'person'].flatMap((what) =>
        RECORDS.map((id) => textOf(what, id)),
      ),
    ],
    names: { 'SOUTH-1': 'NOBODY-1', consent: 'consenx' },
  },
} satisfies Readonly<Record<string, Hidden>>;
type CallerName = keyof typeof HIDDEN;
const CALLERS = Object.keys(HIDDEN) as CallerName[];
const KEYS = Object.fromEntries(CALLERS.map((name) => [name, redcapKey(name, ...SCOPES)])) as Record<
  CallerName,
  ReturnType<typeof redcapKey>
>;

type Sent = Readonly<Record<string, string>>;
const start = { event: 'start_arm_1' };
const at = { event: 'visit_arm_1' };

const FILTERS = [
  "[note] <> ''",
  '[weight] > 1',
  '[visit_arm_1][weight] > 1',
  "[visit_arm_1][visit_complete] = '2'",
  "[id] = 'SOUTH-1'",
  "[name] = 'the name of SOUTH-1'",
  "[record-name] = 'SOUTH-1'",
  "[record-dag-name] = 'south'",
  "[user-dag-name] = 'south'",
  "[redcap_data_access_group] = 'south'",
  "[event-name] = 'visit_arm_1'",
  '[previous-event-name][weight] > 1',
  '[weight][last-instance] > 1',
  'sum([weight], 1) > 2',
  "[note] = '' or [id] <> ''",
  '[consent] <> ""',
];

const READS: readonly Sent[] = [
  ...(
    [
      {},
      { type: 'eav' },
      { records: 'SOUTH-1' },
      { 'records[0]': 'N-1', 'records[1]': 'SOUTH-1' },
      { fields: 'note' },
      { 'fields[0]': 'id', 'fields[1]': 'weight' },
      { fields: 'id,half' },
      { fields: 'visit_complete' },
      { forms: 'visit' },
      { events: 'visit_arm_1' },
      { rawOrLabel: 'label', rawOrLabelHeaders: 'label', exportCheckboxLabel: 'true' },
      { exportSurveyFields: 'true', exportDataAccessGroups: 'true' },
      { combineCheckboxOptions: 'true', exportBlankForGrayFormStatus: 'true' },
      { dateRangeBegin: '2000-01-01 00:00:00' },
      { dateRangeEnd: '2100-01-01 00:00:00', records: 'SOUTH-1' },
      ...FILTERS.map((filterLogic) => ({ filterLogic })),
    ] as Sent[]
  ).map((sent) => ({ content: 'record', ...sent })),
  { content: 'report', report_id: '1' },
  { content: 'report', report_id: '1', type: 'eav', rawOrLabel: 'label' },
  { content: 'report', report_id: '2' },
  ...[
    {},
    { record: 'SOUTH-1' },
    { dag: 'south' },
    { dag: '2' },
    { user: 'coordinator' },
    { logtype: 'record' },
  ].map((sent) => ({ content: 'log', ...sent })),
  { content: 'file', action: 'export', record: 'SOUTH-1', field: 'consent', ...start },
  { content: 'file', action: 'export', record: 'SOUTH-1', field: 'consent', ...at },
  { content: 'file', action: 'export', record: 'N-1', field: 'note', ...start },
  { content: 'file', action: 'export', record: 'N-1', field: 'consent', ...at },
  { content: 'pdf', record: 'SOUTH-1' },
  { content: 'pdf', record: 'SOUTH-1', instrument: 'enrol', ...start },
  { content: 'pdf', record: 'N-1', instrument: 'visit', ...at },
  { content: 'pdf', record: 'N-1', instrument: 'visit', ...at, repeat_instance: '1' },
  { content: 'pdf', allRecords: '' },
  { content: 'pdf', allRecords: 'false', record: 'N-1' },
  { content: 'pdf', instrument: 'visit' },
  ...['surveyLink', 'surveyQueueLink', 'surveyReturnCode'].map((content) => ({
    ...{ content, record: 'SOUTH-1', instrument: 'enrol' },
    ...start,
  })),
  { content: 'surveyLink', record: 'N-1', instrument: 'visit', ...at },
  { content: 'surveyAccessCode', instrument: 'visit', ...at },
  { content: 'participantList', instrument: 'enrol', ...start },
  { content: 'participantList', instrument: 'visit', ...at },
  { content: 'metadata' },
  { content: 'metadata', fields: 'note' },
  { content: 'metadata', 'forms[0]': 'visit' },
  { content: 'exportFieldNames', field: 'weight' },
  { content: 'arm', arms: '1,2,3' },
  { content: 'event', 'arms[0]': '2' },
  ...[
    ...['exportFieldNames', 'instrument', 'formEventMapping', 'repeatingFormsEvents', 'event', 'arm', 'dag'],
    ...[
      'user',
      'userRole',
      'userDagMapping',
      'userRoleMapping',
      'project',
      'project_xml',
      'project_settings',
    ],
    ...['fileRepository', 'generateNextRecordName', 'version', 'fieldValidation'],
  ].map((content) => ({ content })),
  { content: 'fileRepository', action: 'list' },
  { content: 'fileRepository', action: 'export', doc_id: '2' },
  { content: 'fileinfo', doc_id: '2' },
  { content: 'project_xml', returnMetadataOnly: 'false', exportFiles: 'true' },
];

/** Rows of an import, as JSON. */
const rowsOf = (...rows: Sent[]): Sent => ({ content: 'record', data: JSON.stringify(rows) });
const own = { id: 'N-1', redcap_event_name: 'start_arm_1' };
const foreign = { ...own, id: 'SOUTH-1' };

/** Changes of what a caller does not see. */
const WRITES: Readonly<Record<'records' | 'note' | 'columns', readonly Sent[]>> = {
  records: [
    rowsOf({ ...foreign, name: 'x' }),
    rowsOf({ ...foreign, name: 'x' }, { ...own, name: 'x' }),
    rowsOf({ ...own, name: 'x' }, { ...foreign, name: 'x' }),
    { ...rowsOf({ ...foreign, name: '' }), overwriteBehavior: 'overwrite' },
    { ...rowsOf({ ...foreign, name: 'x' }), backgroundProcess: 'true' },
    { ...rowsOf({ ...foreign, name: 'x' }), returnContent: 'ids' },
    { ...rowsOf({ ...foreign, name: 'x' }), forceAutoNumber: 'true', returnContent: 'auto_ids' },
    { ...rowsOf({ ...foreign, redcap_data_access_group: 'north' }), returnContent: 'nothing' },
    rowsOf({ ...own, redcap_data_access_group: 'south' }),
    rowsOf(
      { ...own, redcap_data_access_group: '' },
      { ...own, name: 'x', redcap_data_access_group: 'south' },
    ),
    rowsOf({ ...own, id: 'N-9', name: 'x', redcap_data_access_group: 'south' }),
    rowsOf({ ...own, id: 'SOUTH-9', name: 'x' }),
    {
      content: 'record',
      type: 'eav',
      data: JSON.stringify([
        { record: 'SOUTH-1', redcap_event_name: 'start_arm_1', field_name: 'name', value: 'x' },
      ]),
    },
    { content: 'record', format: 'csv', data: 'id,redcap_event_name,name\nSOUTH-1,start_arm_1,x\n' },
    {
      content: 'record',
      format: 'xml',
      data: '<records><item><id>SOUTH-1</id><redcap_event_name>start_arm_1</redcap_event_name><name>x</name></item></records>',
    },
    { content: 'record', action: 'delete', 'records[0]': 'SOUTH-1' },
    { content: 'record', action: 'delete', records: 'N-1,SOUTH-1', delete_logging: '1' },
    { content: 'record', action: 'delete', 'records[0]': 'SOUTH-1', instrument: 'enrol', ...start },
    { content: 'record', action: 'delete', 'records[0]': 'SOUTH-1', arm: '1' },
    { content: 'record', action: 'rename', record: 'SOUTH-1', new_record_name: 'N-8' },
    { content: 'record', action: 'rename', record: 'N-1', new_record_name: 'SOUTH-1' },
    { content: 'record', action: 'rename', record: 'N-1', new_record_name: 'SOUTH-8' },
    { content: 'record', action: 'randomize', record: 'SOUTH-1', randomization_id: '1' },
    { content: 'file', action: 'delete', record: 'SOUTH-1', field: 'consent', ...start },
    { content: 'file', action: 'import', record: 'SOUTH-1', field: 'consent', ...start },
  ],
  note: [
    rowsOf({ ...own, note: 'x' }),
    rowsOf({ ...own, name: 'x', note: '' }),
    { ...rowsOf({ ...own, note: '' }), overwriteBehavior: 'overwrite' },
    { content: 'record', action: 'delete', 'records[0]': 'N-1', instrument: 'enrol', ...start },
  ],
  columns: [
    rowsOf({ ...own, redcap_event_name: 'visit_arm_1', redcap_repeat_instance: '1', weight: '1' }),
    rowsOf({ ...own, redcap_event_name: 'visit_arm_1', redcap_repeat_instance: '9', visit_complete: '2' }),
    { content: 'record', action: 'delete', 'records[0]': 'N-1' },
    { content: 'record', action: 'delete', 'records[0]': 'N-1', arm: '1' },
    {
      content: 'record',
      action: 'delete',
      'records[0]': 'N-1',
      instrument: 'visit',
      ...at,
      repeat_instance: '1',
    },
    { content: 'record', action: 'delete', 'records[0]': 'N-1', ...at },
    { content: 'record', action: 'rename', record: 'N-1', new_record_name: 'N-8' },
    { content: 'record', action: 'randomize', record: 'N-1', randomization_id: '1' },
    { content: 'file', action: 'delete', record: 'N-1', field: 'note', ...start },
    { content: 'file', action: 'import', record: 'N-1', field: 'consent', ...at },
  ],
};

/** Changes that no policy grants. */
const NEVER: readonly Sent[] = [
  ...[
    'metadata',
    'formEventMapping',
    'repeatingFormsEvents',
    'event',
    'arm',
    'dag',
    'userDagMapping',
    'user',
  ].map((content) => ({ content, action: 'import', data: '[]' })),
  ...['userRole', 'userRoleMapping', 'project_settings', 'project'].map((content) => ({
    content,
    data: '[]',
  })),
  { content: 'arm', action: 'delete', arms: '1' },
  { content: 'event', action: 'delete', events: 'visit_arm_1' },
  { content: 'dag', action: 'delete', dags: 'south' },
  { content: 'dag', action: 'switch', dag: 'south' },
  { content: 'user', action: 'delete', users: 'north' },
  { content: 'userRole', action: 'delete', roles: 'x' },
  { content: 'fileRepository', action: 'createFolder', name: 'x' },
  { content: 'fileRepository', action: 'import' },
  { content: 'fileRepository', action: 'delete', doc_id: '2' },
];

describe("Attacks on rights at REDCap's API", () => {
  let sandbox: SandboxClient;
  let service: TestService;

  before(async () => {
    sandbox = await startSandboxClient(secretStudy());
    const set = readPolicyFile(POLICY);
    const files = { set, lock: acceptAll(set, await loadProjectStructure(sandbox.client)) };
    service = await startService({
      capture: sandbox.client,
      policy: new CallerViews(sandbox.client, files, 'secret', { pseudonymKey: new Secret('ab'.repeat(32)) }),
      apiDoor: true,
      access: { apiKeys: CALLERS.map((name) => KEYS[name].apiKey) },
      imports: { recordIdMinLength: 1 },
    });
  });
  after(async () => {
    await service.close();
    await sandbox.close();
  });

  async function ask(name: CallerName, sent: Sent, format: string) {
    const entries = Object.entries({ token: KEYS[name].token, format, ...sent });
    const isUpload = /^(file|fileRepository)import$/.test(`${sent['content']}${sent['action']}`);
    const body = isUpload ? multipartOf([...entries, ['file', new Blob(['x'])]]) : entries;
    const { status, type, text, headers } = await callRedcap(`${service.url}/api/`, body);
    return { status, type, text, everything: text + JSON.stringify([...headers]) };
  }

  /** Expects that an answer tells nothing that its call did not, and that a hidden name is that of nothing. */
  async function attack(name: CallerName, sent: Sent, format: string) {
    const { texts, names }: Hidden = HIDDEN[name];
    const what = `${name} ${format} ${JSON.stringify(sent)}`;
    const { everything, ...answer } = await ask(name, sent, format);
    const told = texts.filter((text) => everything.includes(text) && !what.includes(text));
    expect(told, `${what}: ${answer.text.slice(0, 300)}`).to.deep.equal([]);

    const renamed = (text: string, isBack = false): string =>
      Object.entries(names).reduce(
        (all, [hidden, unknown]) =>
          isBack ? all.replaceAll(unknown, hidden) : all.replaceAll(hidden, unknown),
        text,
      );
    const twin = JSON.parse(renamed(JSON.stringify(sent))) as Sent;
    if (JSON.stringify(twin) === JSON.stringify(sent)) return answer;
    const { status, type, text } = await ask(name, twin, format);
    expect({ status, type, text: renamed(text, true) }, what).to.deep.equal(answer);
    return answer;
  }

  /** Everything in the project but its log. */
  async function state(): Promise<string> {
    const { client } = sandbox;
    const file = (record: string) => client.files.get({ record, field: 'consent', ...start });
    const files = await Promise.all(
      RECORDS.map(async (record) => {
        const { name, body } = await file(record);
        return `${name}: ${await textIn(body)}`;
      }),
    );
    const rows = await client.exportRecords({ exportDataAccessGroups: true, exportSurveyFields: true });
    const [fields, arms, events, dags, users] = await Promise.all([
      client.fields.list(),
      client.arms.list(),
      client.events.list(),
      client.dags.list(),
      client.users.list(),
    ]);
    return JSON.stringify({ files, rows, fields, arms, events, dags, users }, undefined, 1);
  }

  for (const name of CALLERS) {
    it(`tell ${name} nothing that is hidden, nor whether it is there`, async () => {
      for (const sent of READS) for (const format of ['json', 'csv', 'xml']) await attack(name, sent, format);
      const { status, text } = await ask(name, { content: 'record', fields: 'id,alive' }, 'csv');
      expect([status, text.split('\n').length > 1]).to.deep.equal([200, true]);
    });

    it(`change nothing for ${name} that is hidden`, async () => {
      const before = await state();
      const attacks = {
        ...{ site: WRITES.records, light: WRITES.records, events: WRITES.columns },
        columns: [...WRITES.note, ...WRITES.columns],
        coded: [...WRITES.records, ...WRITES.note, ...WRITES.columns],
      }[name];
      for (const sent of [...attacks, ...NEVER]) {
        const { status, text } = await attack(name, sent, 'json');
        expect(status, `${name} ${JSON.stringify(sent)} ${text}`).to.be.within(400, 403);
      }
      expect(await state()).to.equal(before);
    });
  }
});
