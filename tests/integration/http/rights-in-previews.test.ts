import { expect } from 'chai';
import { createServiceClient } from '../../../src/client.js';
import { CallerViews } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy } from '../../../src/sandbox/named-study.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import type { SignInClient } from '../../support/sign-in-client.js';
import { keyWith } from '../../support/start-service.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';

const NAMES = ['site', 'reader', 'owner', 'adults', 'analyst', 'locked'] as const;
type Name = (typeof NAMES)[number];

const POLICY = `version: 1
policies:
  site:
    records: { dag: le_havre }
    events: [enrolment_arm_2, week_4_arm_2]
    forms: { enrolment: read, vitals: write }
    fields: { hide: [email] }
    create: { prefix: HAVRE- }
  reader: { records: all, forms: { vitals: read } }
  owner:
    records: { own: { field: email, event: [enrolment_arm_1, enrolment_arm_2], equals: $session.email } }
    forms: { enrolment: write, vitals: write }
  adults: { records: { where: "[age] >= 41" }, forms: { enrolment: write, vitals: write } }
  analyst: { records: all, forms: { vitals: read }, deidentify: limited }
  locked: { records: all, forms: { vitals: write } }
bindings:
${NAMES.map((name) => `  - { session: ${name}@example.org, policy: ${name} }`).join('\n')}
  - { key: site, policy: site }
`;

const idOf = (number: string): string => `TRIAL-2026-PARTICIPANT-${number}`;
/** Of the group le_havre and of arm 2; 41 years old. */
const HERE = idOf('0001');
/** Of another group. */
const ELSEWHERE = idOf('0003');
const TAKEN = 'HAVRE-2026-PARTICIPANT-9001';
const AT = 'enrolment_arm_2';
const ROW = { record_id: HERE, redcap_event_name: AT };

type Row = Readonly<Record<string, string>>;

interface Case {
  readonly what: string;
  readonly as: Name;
  readonly row: Row;
  readonly code: string;
  /** What the errors have, if there are any. */
  readonly field?: string;
}

const REFUSED: readonly Case[] = [
  {
    what: 'a field that may be read only',
    as: 'site',
    row: { ...ROW, age: '44' },
    code: 'not_in_policy',
    field: 'age',
  },
  {
    what: 'the status of a form that may be read only',
    as: 'site',
    row: { ...ROW, enrolment_complete: '0' },
    code: 'not_in_policy',
    field: 'enrolment_complete',
  },
  {
    what: 'a hidden field',
    as: 'site',
    row: { ...ROW, email: 'a@example.org' },
    code: 'invalid_records',
    field: 'email',
  },
  {
    what: 'a field of a hidden form',
    as: 'site',
    row: { ...ROW, sleep: '1' },
    code: 'invalid_records',
    field: 'sleep',
  },
  {
    what: 'a hidden event',
    as: 'site',
    row: { ...ROW, redcap_event_name: 'week_12_arm_2', pain: '7' },
    code: 'invalid_records',
    field: 'redcap_event_name',
  },
  {
    what: 'another group',
    as: 'site',
    row: { ...ROW, redcap_data_access_group: 'krakow', pain: '7' },
    code: 'invalid_records',
    field: 'redcap_data_access_group',
  },
  {
    what: 'a record of another group',
    as: 'site',
    row: { ...ROW, record_id: ELSEWHERE, pain: '7' },
    code: 'not_in_policy',
  },
  {
    what: 'a new record without the prefix',
    as: 'site',
    row: { ...ROW, record_id: idOf('9999'), pain: '7' },
    code: 'not_in_policy',
  },
  {
    what: 'a new record whose id another group has',
    as: 'site',
    row: { ...ROW, record_id: TAKEN, pain: '7' },
    code: 'not_in_policy',
  },
  {
    what: 'a policy that only reads',
    as: 'reader',
    row: { ...ROW, pain: '7' },
    code: 'not_in_policy',
    field: 'pain',
  },
  { what: 'a record that is not their own', as: 'owner', row: { ...ROW, pain: '7' }, code: 'not_in_policy' },
  {
    what: 'the field that says whose a record is',
    as: 'owner',
    row: { record_id: ELSEWHERE, redcap_event_name: AT, email: 'other@example.org' },
    code: 'not_in_policy',
    field: 'email',
  },
  {
    what: 'a record that does not satisfy the condition',
    as: 'adults',
    row: { record_id: idOf('9003'), redcap_event_name: AT, pain: '7' },
    code: 'not_in_policy',
  },
  {
    what: 'a field that the condition reads',
    as: 'adults',
    row: { ...ROW, age: '44' },
    code: 'not_in_policy',
    field: 'age',
  },
  {
    what: 'the secondary unique field',
    as: 'adults',
    row: { ...ROW, userid: 'another' },
    code: 'not_in_policy',
    field: 'userid',
  },
  { what: 'a policy that changes values', as: 'analyst', row: { ...ROW, pain: '7' }, code: 'not_in_policy' },
  {
    what: 'a field that nobody has accepted',
    as: 'locked',
    row: { ...ROW, systolic: '121' },
    code: 'invalid_records',
  },
  {
    what: 'a record that nobody may create',
    as: 'locked',
    row: { ...ROW, record_id: idOf('9998') },
    code: 'not_in_policy',
  },
];

const ADMITTED: readonly Omit<Case, 'code'>[] = [
  { what: 'a writable field', as: 'site', row: { ...ROW, pain: '61' } },
  {
    what: 'a row without an event, which is of the first visible one',
    as: 'site',
    row: { record_id: HERE, pain: '62' },
  },
  {
    what: 'a new record with the prefix',
    as: 'site',
    row: { ...ROW, record_id: `HAVRE-2026-PARTICIPANT-9002`, pain: '63' },
  },
  { what: 'a value of their own record', as: 'owner', row: { ...ROW, record_id: ELSEWHERE, pain: '64' } },
];

/** How rows are sent: the query and the body. */
const FORMS: Readonly<Record<string, (row: Row) => readonly [query: string, type: string, body: string]>> = {
  JSON: (row) => ['', 'application/json', JSON.stringify({ records: [row] })],
  CSV: (row) => ['', 'text/csv', `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`],
  NDJSON: (row) => ['', 'application/x-ndjson', `${JSON.stringify(row)}\n`],
  changes: (row) => ['changes=true&', 'application/json', JSON.stringify({ records: [row] })],
  EAV: (row) => {
    const { record_id, redcap_event_name, ...cells } = row;
    const rows = Object.entries(cells).map(([field_name, value]) => ({
      ...{ record: record_id, redcap_event_name, field_name, value },
    }));
    return ['type=eav&', 'application/json', JSON.stringify({ records: rows })];
  },
};

describe('A preview under a policy (GW-03, IN-23)', () => {
  let sandbox: SandboxClient;
  let site: ServiceWithAuth;
  let key: string;
  const people = new Map<Name, SignInClient>();

  before(async () => {
    sandbox = await startSandboxClient(await createNamedStudy({ study: 'longitudinal', until: LAST_DAY }));
    const { client } = sandbox;
    await client.importRecords([
      { record_id: TAKEN, redcap_event_name: AT, redcap_data_access_group: 'krakow' },
      { record_id: idOf('9003'), redcap_event_name: AT, age: 20 },
      { record_id: ELSEWHERE, redcap_event_name: AT, email: 'owner@example.org' },
    ]);
    await client.project.putInfo({ secondaryUniqueField: 'userid' });
    client.clearCache();
    const set = readPolicyFile(POLICY);
    const all = acceptAll(set, await loadProjectStructure(client));
    const vitals = all.policies.locked?.vitals?.filter((name) => name !== 'systolic') ?? [];
    const lock = { ...all, policies: { ...all.policies, locked: { vitals } } };
    const { authorization, apiKey } = keyWith('project:read', 'records:read', 'records:write');
    key = authorization.replace('Bearer ', '');
    site = await startServiceWithAuth(
      {},
      {
        capture: client,
        imports: { batchSize: 2 },
        policy: new CallerViews(client, { set, lock }, 'secret', {
          pseudonymKey: { reveal: () => 'ab'.repeat(32) },
        }),
        access: {
          sessionScopes: ['project:read', 'records:read', 'records:write'],
          apiKeys: [{ ...apiKey, name: 'site' }],
        },
      },
    );
    for (const name of NAMES) people.set(name, await site.signedIn(name));
  });
  after(async () => {
    await site.close();
    await sandbox.close();
  });

  async function send(as: Name, path: string, type: string, body: string) {
    const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' };
    const answer = await people.get(as)?.send(path, { method: 'POST', headers, body });
    const { code, detail, errors } = (await answer?.json()) as {
      code?: string;
      detail?: string;
      errors?: readonly { field: string }[];
    };
    return { status: answer?.status, code, detail, errors };
  }

  for (const [form, bodyOf] of Object.entries(FORMS))
    it(`refuses as ${form} what is refused when it is stored, in the same words, and stores nothing`, async () => {
      const before = await sandbox.client.exportRecords();
      for (const { what, as, row, code, field } of REFUSED) {
        const [query, type, body] = bodyOf(row);
        if (form === 'EAV' && body === '{"records":[]}') continue; // a row without a value is none
        const preview = await send(as, `/api/v1/records?${query}dryRun=true`, type, body);
        const stored = await send(as, `/api/v1/records?${query}`, type, body);

        expect(preview, what).to.deep.equal(stored);
        // Under a policy EAV is refused as such, unless a rule of the data dictionary is broken first.
        expect(preview.code, what).to.be.oneOf(
          form === 'EAV' ? [code, 'invalid_request', 'not_in_policy'] : [code],
        );
        if (field !== undefined && form !== 'EAV')
          expect(
            preview.errors?.map((error) => error.field),
            what,
          ).to.include(field);
      }
      expect(await sandbox.client.exportRecords()).to.deep.equal(before);
    });

  const page = async (as: Name, path: string, row: Row) => {
    const [, , csv] = FORMS.CSV?.(row) ?? [];
    const data = new FormData();
    data.set('file', new Blob([csv ?? '']), 'a.csv');
    const headers = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
    const answer = await people.get(as)?.send(path, { method: 'POST', headers, body: data });
    const text = ((await answer?.text()) ?? '').replace(/[\s\S]*<main/, '').replaceAll(/[0-9a-f-]{36}/g, '');
    return { status: answer?.status, text };
  };

  it('is refused on /try-file too', async () => {
    for (const { what, as, row, code } of REFUSED) {
      const preview = await page(as, '/try-file', row);
      expect(preview, what).to.deep.equal(await page(as, '/try-file?store=yes', row));
      expect(preview.status, what).to.equal(code === 'not_in_policy' ? 403 : 422);
    }
  });

  it('is refused to the service client too', async () => {
    const client = createServiceClient({ baseUrl: site.service.url, apiKey: key });
    const send = async (row: Row, dryRun: boolean) => {
      const { error } = await client.POST('/api/v1/records', {
        params: { query: { dryRun } },
        body: { records: [row] },
      });
      return { ...error, instance: undefined, requestId: undefined };
    };
    for (const { what, row, code } of REFUSED.filter(({ as }) => as === 'site')) {
      const preview = await send(row, true);
      expect(preview, what).to.deep.equal(await send(row, false));
      expect(preview, what).to.have.property('code', code);
    }
  });

  for (const query of ['', 'changes=true&', 'dryRun=true&', 'dryRun=true&changes=true&'])
    it(`stores nothing of several calls of which a later one is not granted (?${query})`, async () => {
      const pains = [
        { record_id: HERE, pain: '11' },
        { record_id: idOf('0017'), pain: '12' },
      ];
      const rows = [...pains, ...pains, { record_id: ELSEWHERE, pain: '13' }];
      const records = rows.map((row) => ({ redcap_event_name: AT, ...row }));
      const before = await sandbox.client.exportRecords();
      const answer = await send(
        'site',
        `/api/v1/records?${query}`,
        'application/json',
        JSON.stringify({ records }),
      );

      expect(answer).to.include({ status: 403, code: 'not_in_policy' });
      expect(await sandbox.client.exportRecords()).to.deep.equal(before);
    });

  it('says of a hidden event what is said of one that does not exist, and suggests visible ones only', async () => {
    const at = (redcap_event_name: string) =>
      send(
        'site',
        '/api/v1/records?dryRun=true',
        ...(FORMS.JSON?.({ ...ROW, redcap_event_name }).slice(1) as [string, string]),
      );
    const [hidden, unknown] = [await at('week_12_arm_2'), await at('week_13_arm_2')];

    expect(hidden.detail).to.equal(unknown.detail?.replace('13', '12'));
    expect(hidden.errors).to.have.nested.property('[0].suggestion', 'week_4_arm_2');
  });

  it('leaves alone what does not change: with changes, only what is sent is judged', async () => {
    const [stored] = await sandbox.client.exportRecords({ records: [HERE], events: [AT], fields: ['age'] });
    const body = JSON.stringify({ records: [{ ...ROW, age: stored?.age, pain: '51' }] });

    expect(await send('site', '/api/v1/records?dryRun=true', 'application/json', body)).to.have.property(
      'code',
      'not_in_policy',
    );
    for (const dry of ['dryRun=true&', ''])
      expect(
        await send('site', `/api/v1/records?${dry}changes=true`, 'application/json', body),
      ).to.have.property('status', 200);
  });

  for (const [form, bodyOf] of Object.entries(FORMS).filter(([name]) => name !== 'EAV'))
    it(`admits as ${form} what is stored`, async () => {
      for (const { what, as, row } of ADMITTED) {
        const [query, type, body] = bodyOf(row);
        expect((await send(as, `/api/v1/records?${query}dryRun=true`, type, body)).status, what).to.equal(
          200,
        );
        expect((await send(as, `/api/v1/records?${query}`, type, body)).status, what).to.equal(200);
      }
    });

  it('on /try-file says to somebody who may only read the project what the data dictionary says', async () => {
    const reading = await startServiceWithAuth(
      {},
      {
        capture: sandbox.client,
        policy: new CallerViews(
          sandbox.client,
          await (async () => {
            const set = readPolicyFile(POLICY);
            return { set, lock: acceptAll(set, await loadProjectStructure(sandbox.client)) };
          })(),
          'secret',
        ),
        access: { sessionScopes: ['project:read'] },
      },
    );
    try {
      people.set('reader', await reading.signedIn('reader'));
      expect((await page('reader', '/try-file', { ...ROW, pain: '7' })).status).to.equal(200);
    } finally {
      await reading.close();
    }
  });
});
