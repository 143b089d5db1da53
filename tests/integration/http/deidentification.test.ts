import { expect } from 'chai';
import { Secret } from '../../../src/domain/identifiers/secret.js';
import { CallerViews } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy } from '../../../src/sandbox/named-study.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { startMemoryAudit, type MemoryAudit } from '../../support/memory-audit.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { keyWith } from '../../support/start-service.js';

const POLICY = `version: 1
policies:
  analyst: { records: all, forms: { "*": read }, deidentify: limited, transform: { age: { top: 60 } } }
  public: { records: all, forms: { "*": read }, deidentify: safe-harbor }
bindings:
  - { key: analyst, policy: analyst }
  - { key: public, policy: public }
  - { session: analyst@example.org, policy: analyst }
  - { session: public@example.org, policy: public }
`;

const KEYS = Object.fromEntries(
  ['analyst', 'public'].map((name) => {
    const { authorization, apiKey } = keyWith(...SCOPES);
    return [name, { authorization, apiKey: { ...apiKey, name } }] as const;
  }),
);

describe('A de-identified view (GW-09)', () => {
  let sandbox: SandboxClient;
  let site: ServiceWithAuth;
  let log: MemoryAudit;
  /** Record ids, addresses, names and free texts: each is of one person. */
  let personal: readonly string[];

  before(async () => {
    sandbox = await startSandboxClient(await createNamedStudy({ study: 'longitudinal', until: LAST_DAY }));
    const { client } = sandbox;
    const set = readPolicyFile(POLICY);
    const structure = await loadProjectStructure(client);
    const files = { set, lock: acceptAll(set, structure) };
    const views = new CallerViews(client, files, 'secret', { pseudonymKey: new Secret('ab'.repeat(32)) });
    const apiKeys = Object.values(KEYS).map(({ apiKey }) => apiKey);
    const { audit, log: entries } = await startMemoryAudit();
    log = entries;
    site = await startServiceWithAuth(
      {},
      {
        capture: client,
        policy: views,
        audit,
        access: { apiKeys, sessionScopes: ['project:read', 'records:read'] },
      },
    );
    const rows = await client.exportRecords();
    const removed = structure.dictionary.fields.filter(
      ({ isIdentifier, type, validationType }, at) =>
        at === 0 || isIdentifier || type === 'notes' || (type === 'text' && validationType === ''),
    );
    const values = removed.flatMap(({ name }) => rows.map((row) => String(row[name] ?? '')));
    personal = [...new Set(values)].filter((value) => value.length > 4);
  });
  after(async () => {
    await site.close();
    await sandbox.close();
  });

  async function get(name: string, path: string) {
    const headers = { authorization: KEYS[name]?.authorization ?? '' };
    const response = await fetch(site.service.url + path, { headers });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }
  const csv = async (name: string, query: string): Promise<string[][]> => {
    const { text } = await get(name, `/api/v1/records?format=csv&${query}`);
    return text
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(','));
  };

  const toldIn = (text: string): string[] => personal.filter((value) => text.includes(value));

  const READS = [
    'records',
    'records?format=ndjson',
    'records?format=csv&rawOrLabel=label&rawOrLabelHeaders=label',
    'records?type=eav&exportDataAccessGroups=true&exportSurveyFields=true',
    'records?values=typed&labels=true',
    'records?batchSize=50&format=csv',
    'records?pageSize=5',
    'project/summary',
    'project/quality',
    'project/info',
    'project/fields',
    'project/schema',
    'project/types',
  ].map((path) => `/api/v1/${path}`);
  for (const path of READS)
    it(`tells nobody's id, address, name or words: ${path}`, async () => {
      for (const name of ['analyst', 'public']) {
        const { status, text, headers } = await get(name, path);
        expect(status, name).to.equal(200);
        expect(toldIn(text + JSON.stringify([...headers])), name).to.deep.equal([]);
      }
      expect(personal.length).to.be.above(300);
    });

  it('finds a record by its pseudonym, on the route, in a list and in a filter, and by nothing else', async () => {
    const [[pseudonym = '', , , , age = ''] = []] = await csv('analyst', 'limit=1&fields=record_id,age');
    const own = await csv('analyst', `fields=record_id,age&records=${pseudonym}`);
    const filter = encodeURIComponent(`[record_id] = '${pseudonym}'`);
    const [original = ''] = personal;

    expect(own[0]).to.deep.include.members([pseudonym, age]);
    expect(new Set(own.map(([id]) => id))).to.deep.equal(new Set([pseudonym]));
    expect(await csv('analyst', `fields=record_id,age&filterLogic=${filter}`)).to.deep.equal(own);
    expect((await get('analyst', `/api/v1/records/${pseudonym}`)).text).to.include(`"age":"${age}"`);
    expect((await get('analyst', `/api/v1/records/${original}`)).status).to.equal(404);
    expect(await csv('analyst', `records=${original}`)).to.deep.equal([]);
  });

  it('is in the audit log with its policy, and with each record by its own id', async () => {
    const [[pseudonym = ''] = []] = await csv('analyst', 'limit=1&fields=record_id');
    const [original = ''] = personal;
    const named = async (path: string): Promise<unknown[]> => {
      const before = log.entries.length;
      await get('analyst', `/api/v1/${path}`);
      const calls = log.entries.slice(before);
      expect(new Set(calls.map(({ policy }) => policy))).to.deep.equal(new Set(['analyst']));
      return calls.flatMap(({ what = {} }) => [what['record'], what['records']]).flat();
    };
    const [own] = await named(`records/${original}`);

    expect(own).to.match(/^[0-9a-f]{16}$/);
    expect(await named(`records/${pseudonym}`)).to.include(own);
    expect(await named(`records?records=${pseudonym}`)).to.include(own);
    expect(await named('records?batchSize=50&fields=record_id')).to.include(own);
  });

  it('has pages for signed-in people, which know no more', async () => {
    const [[pseudonym = ''] = []] = await csv('analyst', 'limit=1&fields=record_id');
    for (const name of ['analyst', 'public']) {
      const browser = await site.signedIn(name);
      for (const path of [
        '/dashboard',
        '/dashboard/records',
        '/dashboard/forms',
        `/dashboard/records/${pseudonym}`,
      ]) {
        const page = await browser.send(path);
        const text = await page.text();

        expect(page.status, `${name} ${path}`).to.equal(
          name === 'public' && path.includes(pseudonym) ? 404 : 200,
        );
        expect(toldIn(text), `${name} ${path}`).to.deep.equal([]);
      }
    }
  });

  it('evaluates a filter on the values that it shows', async () => {
    const ages = async (logic: string): Promise<string[]> => {
      const query = `fields=record_id,age&events=enrolment_arm_1&filterLogic=${encodeURIComponent(logic)}`;
      return (await csv('analyst', query)).map((cells) => cells[4] ?? '');
    };

    expect(await ages('[age] > 60')).to.deep.equal([]);
    expect(new Set(await ages('[age] >= 60'))).to.deep.equal(new Set(['60']));
  });

  it('has ids under safe-harbor that are others in each export, and the same within it', async () => {
    const ids = async (query: string): Promise<string[]> =>
      (await csv('public', `fields=record_id,age&${query}`)).map(([id = '']) => id);
    const [first, second] = [await ids('batchSize=50'), await ids('batchSize=50')];

    expect(new Set(first).size).to.equal(120).and.equal(new Set(second).size);
    expect(first.filter((id) => second.includes(id))).to.deep.equal([]);
    expect((await get('public', `/api/v1/records/${first[0]}`)).status).to.equal(404);
    expect(await ids(`records=${first[0]}`)).to.deep.equal([]);
  });

  it('grants nothing but reading of values', async () => {
    const [[id = ''] = []] = await csv('analyst', 'limit=1&fields=record_id');
    const refused = [
      `records/${id}/files/visit_date?event=enrolment_arm_1`,
      `records/${id}/pdf`,
      'log',
      `records/${id}/surveys/queue-link`,
    ];
    for (const path of refused) {
      const { status, text } = await get('analyst', `/api/v1/${path}`);
      expect([status, text.includes('not_in_policy')], path).to.deep.equal([403, true]);
    }
    const response = await fetch(`${site.service.url}/api/v1/records`, {
      method: 'POST',
      headers: { authorization: KEYS.analyst?.authorization ?? '', 'content-type': 'application/json' },
      body: JSON.stringify([{ record_id: id, redcap_event_name: 'enrolment_arm_1', age: '30' }]),
    });
    expect(response.status).to.equal(403);
  });
});
