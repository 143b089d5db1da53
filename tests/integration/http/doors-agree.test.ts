import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { Secret } from '../../../src/domain/identifiers/secret.js';
import { CallerViews } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy } from '../../../src/sandbox/named-study.js';
import { callRedcap, redcapKey } from '../../support/redcap-door.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { startService, type TestService } from '../../support/start-service.js';

const POLICY = `version: 1
policies:
  columns: { records: all, forms: { enrolment: read, vitals: write }, fields: { hide: [email, first_name, last_name] } }
  site: { records: { dag: $caller.dag }, forms: { "*": read, vitals: write } }
  analyst: { records: all, forms: { "*": read }, deidentify: limited }
bindings:
  - { key: columns, policy: columns }
  - { key: site, policy: site, dag: le_havre }
  - { key: analyst, policy: analyst }
`;

const CALLERS = ['whole', 'columns', 'site', 'analyst'] as const;
type CallerName = (typeof CALLERS)[number];
const KEYS = Object.fromEntries(
  CALLERS.map((name) => [name, redcapKey(name, 'project:read', 'records:read', 'records:write')]),
) as Record<CallerName, ReturnType<typeof redcapKey>>;

/** Options of an export that have one name in both. */
const EXPORTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { type: 'eav', fields: 'record_id,consent_date,age' },
  { rawOrLabel: 'label', rawOrLabelHeaders: 'label' },
  { exportDataAccessGroups: 'true', exportSurveyFields: 'true' },
  { forms: 'vitals' },
  { events: 'enrolment_arm_1', fields: 'consent_date' },
  { filterLogic: "[consent_date] <> ''" },
  { exportCheckboxLabel: 'true', rawOrLabel: 'label' },
  { csvDelimiter: 'tab', decimalCharacter: ',' },
];

describe("REST and REDCap's API of the service", () => {
  let sandbox: SandboxClient;
  let open: TestService;
  let restricted: TestService;

  before(async () => {
    sandbox = await startSandboxClient(await createNamedStudy({ study: 'longitudinal', until: LAST_DAY }));
    const set = readPolicyFile(POLICY);
    const files = { set, lock: acceptAll(set, await loadProjectStructure(sandbox.client)) };
    const policy = new CallerViews(sandbox.client, files, 'secret', {
      pseudonymKey: new Secret('ab'.repeat(32)),
    });
    const options = {
      capture: sandbox.client,
      apiDoor: true,
      access: { apiKeys: CALLERS.map((name) => KEYS[name].apiKey) },
    };
    open = await startService(options);
    restricted = await startService({ ...options, policy });
  });
  after(async () => {
    await open.close();
    await restricted.close();
    await sandbox.close();
  });

  const serviceOf = (name: CallerName): TestService => (name === 'whole' ? open : restricted);
  async function byRest(name: CallerName, path: string, init: RequestInit = {}) {
    const response = await fetch(`${serviceOf(name).url}/api/v1/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${KEYS[name].token}`, 'content-type': 'application/json' },
    });
    return { status: response.status, text: await response.text() };
  }
  const byDoor = (name: CallerName, sent: Readonly<Record<string, string>>) =>
    callRedcap(`${serviceOf(name).url}/api/`, { token: KEYS[name].token, ...sent });

  for (const name of CALLERS) {
    it(`have the same rows for ${name}, as CSV and as JSON`, async () => {
      const sizes: number[] = [];
      for (const options of EXPORTS) {
        for (const format of ['csv', 'json'] as const) {
          const { csvDelimiter, ...shared } = options;
          const asked = {
            ...shared,
            ...(csvDelimiter !== undefined && format === 'csv' && { csvDelimiter }),
          };
          const [rest, door] = [
            await byRest(name, `records?${new URLSearchParams({ ...asked, format }).toString()}`),
            await byDoor(name, { content: 'record', ...asked, format }),
          ];
          const what = `${format} ${JSON.stringify(asked)} ${rest.text.slice(0, 200)} ${door.text.slice(0, 200)}`;
          expect([rest.status, door.status], what).to.deep.equal([200, 200]);
          const table = (text: string): unknown[] =>
            parse(text, { delimiter: csvDelimiter === undefined ? ',' : '\t' });
          const rows = format === 'csv' ? table(door.text) : (JSON.parse(door.text) as unknown[]);
          const ofRest =
            format === 'csv' ? table(rest.text) : (JSON.parse(rest.text) as { data: unknown[] }).data;
          expect(rows, what).to.deep.equal(ofRest);
          sizes.push(rows.length);
        }
      }
      expect(Math.min(...sizes)).to.be.above(1);
    });

    it(`have the same fields, instruments, events and names of columns for ${name}`, async () => {
      const names = async (path: string, key: string) =>
        (JSON.parse((await byRest(name, path)).text) as { data: Record<string, unknown>[] }).data.map(
          (row) => row[key],
        );
      const sent = async (content: string, key: string) =>
        (JSON.parse((await byDoor(name, { content, format: 'json' })).text) as Record<string, unknown>[]).map(
          (row) => row[key],
        );
      expect(await sent('metadata', 'field_name')).to.deep.equal(await names('project/fields', 'name'));
      expect(await sent('instrument', 'instrument_name')).to.deep.equal(
        await names('project/instruments', 'name'),
      );
      expect(await sent('event', 'unique_event_name')).to.deep.equal(
        await names('project/events', 'uniqueName'),
      );
      expect(await sent('exportFieldNames', 'export_field_name')).to.deep.equal(
        await names('project/export-field-names', 'column'),
      );
    });

    it(`refuse ${name} the same`, async () => {
      const refused = [
        ['records?fields=no_such_field', { content: 'record', fields: 'no_such_field' }],
        ['records?events=no_such_event', { content: 'record', events: 'no_such_event' }],
        [
          'records?filterLogic=%5Bno_such_field%5D%3D1',
          { content: 'record', filterLogic: '[no_such_field]=1' },
        ],
        ...(name === 'columns'
          ? [['records?fields=email', { content: 'record', fields: 'email' }] as const]
          : []),
        ['project/users', { content: 'user' }],
      ] as const;
      for (const [path, parameters] of refused) {
        const [rest, door] = [
          await byRest(name, path),
          await byDoor(name, { ...parameters, format: 'json' }),
        ];
        expect([rest.status, path]).to.deep.equal([door.status, path]);
        expect(door.status).to.be.within(400, 403);
        expect(Object.keys(JSON.parse(door.text) as object)).to.deep.equal(['error']);
      }
    });
  }

  it('store the same, and refuse to store the same', async () => {
    const found = JSON.parse(
      (await byDoor('site', { content: 'record', format: 'json', fields: 'record_id', forms: 'vitals' }))
        .text,
    );
    const [first = {}] = found as Record<string, string>[];
    const { record_id: record = '', redcap_event_name: event = '' } = first;
    const [column = ''] = Object.keys(first).filter((each) => !/^(record_id|redcap_.*)$/.test(each));
    const row = (value: string, others: object = {}) =>
      JSON.stringify([{ record_id: record, redcap_event_name: event, [column]: value, ...others }]);
    const now = async (name: CallerName): Promise<unknown> => {
      const sent = { content: 'record', format: 'json', records: record, events: event, fields: column };
      return (JSON.parse((await byDoor(name, sent)).text) as Record<string, unknown>[])[0]?.[column];
    };
    const store = (name: CallerName, data: string) =>
      byDoor(name, { content: 'record', format: 'json', type: 'flat', data, overwriteBehavior: 'overwrite' });
    const put = (name: CallerName, data: string) =>
      byRest(name, 'records', { method: 'POST', body: `{"data":${data}}` });

    const before = await now('whole');
    for (const name of ['whole', 'columns', 'site'] as const) {
      const stored = await store(name, row(String(before)));
      expect([stored.status, stored.text, name]).to.deep.equal([200, '{"count":1}', name]);
      expect((await put(name, row(String(before)))).status).to.equal(200);
    }
    for (const [name, data] of [
      ['analyst', row(String(before))],
      ['columns', row(String(before), { email: 'ada@example.org' })],
      ['columns', row(String(before), { consent_date: '2026-01-01' })],
      ['site', JSON.stringify([{ record_id: 'OTHER-1', redcap_event_name: event, [column]: '1' }])],
    ] as const) {
      const [rest, door] = [await put(name, data), await store(name, data)];
      expect([rest.status, door.status], data).to.satisfy((statuses: number[]) =>
        statuses.every((status) => status >= 400 && status <= 422),
      );
    }
    expect(await now('whole')).to.equal(before);
  });
});
