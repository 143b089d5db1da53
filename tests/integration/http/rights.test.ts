import { expect } from 'chai';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy } from '../../../src/sandbox/named-study.js';
import { CallerViews, type PolicyFiles } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { keyWith, startService, type TestService } from '../../support/start-service.js';

const POLICY = `version: 1
policies:
  monitor:
    records: { dag: $caller.dag }
    forms: { enrolment: read, vitals: write }
    fields: { hide: [email, first_name, last_name] }
    create: { prefix: HAVRE- }
  analyst: { records: all, forms: { quality_of_life: read } }
  participant:
    records: { own: { field: email, event: enrolment_arm_1, equals: $session.email } }
    forms: { vitals: read }
bindings:
  - { key: le-havre, policy: monitor, dag: le_havre }
  - { key: no-site, policy: monitor }
  - { key: stats, policy: analyst }
  - { key: somebody, policy: participant }
`;

/** A key of each name, with every scope that these tests need. */
const KEYS = Object.fromEntries(
  ['le-havre', 'no-site', 'stats', 'somebody', 'unbound'].map((name) => {
    const { authorization, apiKey } = keyWith('project:read', 'records:read', 'records:write');
    return [name, { authorization, apiKey: { ...apiKey, name } }] as const;
  }),
);

describe('What a caller sees under a policy (GW-03)', () => {
  let sandbox: SandboxClient;
  let service: TestService;
  let views: CallerViews;
  let files: PolicyFiles;

  before(async () => {
    sandbox = await startSandboxClient(await createNamedStudy({ study: 'longitudinal', until: LAST_DAY }));
    const set = readPolicyFile(POLICY);
    files = { set, lock: acceptAll(set, await loadProjectStructure(sandbox.client)) };
    views = new CallerViews(sandbox.client, files, 'secret');
    const apiKeys = Object.values(KEYS).map(({ apiKey }) => apiKey);
    service = await startService({ capture: sandbox.client, policy: views, access: { apiKeys } });
  });
  afterEach(() => views.replace(files));
  after(async () => {
    await service.close();
    await sandbox.close();
  });

  async function get(name: string, path: string) {
    const headers = { authorization: KEYS[name]?.authorization ?? '' };
    const response = await fetch(`${service.url}/api/v1/${path}`, { headers });
    return { status: response.status, text: await response.text(), etag: response.headers.get('etag') };
  }
  const codeOf = ({ text }: { text: string }): unknown => (JSON.parse(text) as { code?: unknown }).code;
  const idsIn = ({ text }: { text: string }): string[] => [
    ...new Set(
      text
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0] ?? ''),
    ),
  ];

  it('is the records of their site, without the hidden columns', async () => {
    const all = await sandbox.client.exportRecords({ fields: ['record_id'], exportDataAccessGroups: true });
    const own = new Set(
      all.filter((row) => row.redcap_data_access_group === 'le_havre').map((row) => row.record_id),
    );
    const answer = await get('le-havre', 'records?format=csv');

    expect(answer.status).to.equal(200);
    expect(new Set(idsIn(answer))).to.deep.equal(own);
    expect(answer.text.split('\n')[0])
      .to.include('consent_date')
      .and.not.match(/email|first_name|sleep/);
  });

  it('is another project for another key, with tags and texts of its own', async () => {
    const [monitor, analyst] = [
      await get('le-havre', 'project/fields'),
      await get('stats', 'project/fields'),
    ];

    expect(analyst.text).to.include('sleep').and.not.include('consent_date');
    expect(monitor.etag).to.not.equal(analyst.etag);
    expect(idsIn(await get('stats', 'records?format=csv')).length).to.be.above(100);
  });

  it('has no way to tell a hidden field from one that does not exist', async () => {
    const [hidden, unknown] = [
      await get('stats', 'records?fields=email'),
      await get('stats', 'records?fields=emajl'),
    ];
    const plain = ({ text }: { text: string }): string =>
      text.replace(/emajl/g, 'email').replace(/"instance":"[^"]*"/, '');

    expect(hidden.status).to.equal(unknown.status);
    expect(plain(hidden)).to.equal(plain(unknown));
  });

  it('is nothing for a key without a binding, a group that is missing, or an address that a key does not have', async () => {
    for (const name of ['unbound', 'no-site', 'somebody'])
      for (const path of ['records', 'project/info', 'project/fields']) {
        const answer = await get(name, path);
        expect([answer.status, codeOf(answer)], `${name} ${path}`).to.deep.equal([403, 'not_in_policy']);
      }
  });

  it('closes only the policy that no longer fits the project', async () => {
    views.replace({
      ...files,
      set: readPolicyFile(POLICY.replace('[email, first_name', '[e_mail, first_name')),
    });
    const closed = await get('le-havre', 'records');

    expect([closed.status, codeOf(closed)]).to.deep.equal([503, 'policy_invalid']);
    expect((await get('stats', 'records?format=csv&limit=1')).status).to.equal(200);
  });

  const post = async (row: object) => {
    const response = await fetch(`${service.url}/api/v1/records`, {
      method: 'POST',
      headers: { authorization: KEYS['le-havre']?.authorization ?? '', 'content-type': 'application/json' },
      body: JSON.stringify([row]),
    });
    return response.status;
  };
  const groupOf = async (record: string): Promise<unknown> => {
    const options = { records: [record], fields: ['record_id'], exportDataAccessGroups: true };
    return (await sandbox.client.exportRecords(options))[0]?.redcap_data_access_group;
  };

  it('can be changed where the policy grants it, and nowhere else', async () => {
    const all = await sandbox.client.exportRecords({
      fields: ['record_id', 'weight_kg'],
      exportDataAccessGroups: true,
    });
    const ofGroup = (isOwn: boolean) => {
      const row = all.find(
        (each) =>
          (each.redcap_data_access_group === 'le_havre') === isOwn &&
          each.weight_kg !== '' &&
          each.redcap_repeat_instance === '',
      );
      return { record_id: row?.record_id, redcap_event_name: row?.redcap_event_name };
    };

    expect(await post({ ...ofGroup(true), weight_kg: '71.5' })).to.equal(200);
    expect(await post({ ...ofGroup(false), weight_kg: '71.5' })).to.equal(403);
    expect(await post({ ...ofGroup(true), age: '50' })).to.equal(403);
    expect(await post({ ...ofGroup(true), email: 'x@example.org' })).to.be.oneOf([400, 422]);
  });

  it('gets new records under the prefix of the policy, in the group of the caller', async () => {
    const place = { redcap_event_name: 'enrolment_arm_1', weight_kg: '60.0' };

    expect(await post({ record_id: 'HAVRE-0000000000000001', ...place })).to.equal(200);
    expect(await groupOf('HAVRE-0000000000000001')).to.equal('le_havre');
    expect(await post({ record_id: 'OTHER-0000000000000001', ...place })).to.equal(403);
    expect(await groupOf('OTHER-0000000000000001')).to.equal(undefined);
  });
});
