import { expect } from 'chai';
import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../../src/domain/identifiers/secret.js';
import { CallerViews } from '../../../src/policy/caller-views.js';
import type { WholeManifest } from '../../../src/policy/counted-export.js';
import type { ExportManifest } from '../../../src/policy/deidentify/manifest.js';
import { loadPolicyFiles } from '../../../src/policy/load-policy-files.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy } from '../../../src/sandbox/named-study.js';
import { spawnCrf } from '../../support/run-crf.js';
import { runServer } from '../../support/run-server.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { keyWith, startService, type TestService } from '../../support/start-service.js';

const POLICY = join(process.cwd(), 'examples/deidentification/policy.yaml');
const SECRET = 'ab'.repeat(32);
const KEYS = Object.fromEntries(
  ['stats', 'open-data', 'plain', 'elsewhere'].map((name) => {
    const { authorization, apiKey } = keyWith('project:read', 'records:read');
    return [name, { authorization, apiKey: { ...apiKey, name } }] as const;
  }),
);
const apiKeys = Object.values(KEYS).map(({ apiKey }) => apiKey);
const digestOf = (content: string | Buffer): string => `sha256:${hash('sha256', content, 'hex')}`;

describe('GET /api/v1/records/manifest (GW-09)', function () {
  this.timeout(60_000);
  let sandbox: SandboxClient;
  let service: TestService;
  let views: CallerViews;

  before(async () => {
    sandbox = await startSandboxClient(await createNamedStudy({ study: 'longitudinal', until: LAST_DAY }));
    views = new CallerViews(sandbox.client, await loadPolicyFiles(POLICY), 'secret', {
      pseudonymKey: new Secret(SECRET),
    });
    service = await startService({ capture: sandbox.client, policy: views, access: { apiKeys } });
  });
  after(async () => {
    await service.close();
    await sandbox.close();
  });

  async function get(path: string, name = 'stats', url = service.url) {
    const headers = { authorization: KEYS[name]?.authorization ?? '' };
    const response = await fetch(`${url}/api/v1${path}`, { headers });
    return { status: response.status, text: await response.text() };
  }
  async function manifest(query = '', name = 'stats'): Promise<ExportManifest> {
    const { status, text } = await get(`/records/manifest${query}`, name);
    expect(status, text).to.equal(200);
    return (JSON.parse(text) as { data: ExportManifest }).data;
  }
  const rowsOf = async (query: string, name = 'stats'): Promise<Record<string, string>[]> =>
    (JSON.parse((await get(`/records${query}`, name)).text) as { data: Record<string, string>[] }).data;
  const counts = ({ rules }: ExportManifest): Record<string, number> =>
    Object.assign({}, ...rules.map(({ columns }) => columns)) as Record<string, number>;
  const valuesIn = (rows: readonly Record<string, string>[], name: string): number =>
    rows.filter((row) => (row[name] ?? '') !== '').length;

  it('counts the rows, and the cells that each rule met', async () => {
    const found = await manifest();
    const rows = await rowsOf('');

    expect(found).to.include({ policy: 'analyst', preset: 'limited', rows: rows.length });
    expect(found.rules.map(({ rule }) => rule)).to.deep.equal(['record_id', 'dates', 'age']);
    for (const [name, count] of Object.entries(counts(found)))
      expect([name, count]).to.deep.equal([name, valuesIn(rows, name)]);
    expect(counts(found)).to.include.keys('record_id', 'visit_date', 'consent_date', 'age');
    expect(found.pseudonyms).to.equal(rows[0]?.record_id?.slice(0, 6));
    expect(found.warnings).to.deep.equal([]);
  });

  for (const query of [
    '?fields=record_id&fields=visit_date',
    '?fields=age',
    '?forms=enrolment',
    '?events=week_4_arm_1',
    `?filterLogic=${encodeURIComponent('[age] > 40')}`,
  ])
    it(`is about the rows and columns of ${decodeURIComponent(query)}`, async () => {
      const found = await manifest(query);
      const rows = await rowsOf(query);

      expect(found.rows).to.equal(rows.length).and.be.above(0);
      for (const [name, count] of Object.entries(counts(found)))
        expect([name, count]).to.deep.equal([name, valuesIn(rows, name)]);
    });

  it('is about records that are asked for by their pseudonyms', async () => {
    const [{ record_id: id = '' } = {}] = await rowsOf('?limit=1&fields=record_id');
    const rows = await rowsOf(`?records=${id}`);

    expect((await manifest(`?records=${id}`)).rows)
      .to.equal(rows.length)
      .and.be.above(0);
  });

  it('warns of a rule that met no value, and of one that is for no column', async () => {
    const ofSex = await manifest('?fields=sex');
    const open = await manifest('', 'open-data');

    expect(ofSex.warnings).to.deep.equal([
      'record_id met no value in this export',
      'dates met no value in this export',
      'age met no value in this export',
    ]);
    expect(open.warnings).to.include('zip is for no field that the policy shows');
    expect(open).to.not.have.property('pseudonyms');
  });

  it('names the files as they were when they were read, whatever a running export sees', async () => {
    const [policy, lock] = [
      await readFile(POLICY),
      await readFile(POLICY.replace('policy.yaml', 'policy.lock')),
    ];
    const { digests } = await manifest();
    const files = await loadPolicyFiles(POLICY);
    views.replace({ ...files, digests: { policy: digestOf('other'), lock: digestOf(lock) } });
    const other = await manifest();
    views.replace(files);
    const { text } = await get('/project/fields');

    expect([digests.policy, digests.lock]).to.deep.equal([digestOf(policy), digestOf(lock)]);
    expect(other.digests.policy).to.equal(digestOf('other'));
    expect(digests.shownFields).to.equal(
      digestOf(JSON.stringify((JSON.parse(text) as { data: unknown }).data)),
    );
  });

  it('names no field that the caller does not see, and refuses one as it refuses any other name', async () => {
    const fields = (await sandbox.client.fields.list()).map(({ name }) => name);
    const shown = (JSON.parse((await get('/project/fields')).text) as { data: { name: string }[] }).data;
    const hidden = fields.filter((name) => !shown.some((field) => field.name === name));
    const { text } = await get('/records/manifest');
    const [first, second] = [
      await get('/records/manifest?fields=email'),
      await get('/records/manifest?fields=emajl'),
    ];
    const plain = (body: string): string =>
      body.replaceAll('emajl', 'email').replace(/"instance":"[^"]*"/, '');

    expect(hidden).to.include('email');
    expect(hidden.filter((name) => text.includes(name))).to.deep.equal([]);
    expect([first.status, plain(first.text)]).to.deep.equal([400, plain(second.text)]);
  });

  it('is missing alike where a policy changes no values, and where there is none', async () => {
    const text = `version: 1
policies: { plain: { records: all, forms: { vitals: read } } }
bindings: [{ key: plain, policy: plain }]
`;
    const set = readPolicyFile(text);
    const lock = acceptAll(set, await loadProjectStructure(sandbox.client));
    const policy = new CallerViews(sandbox.client, { set, lock }, 'secret');
    const [seen, open] = [
      await startService({ capture: sandbox.client, policy, access: { apiKeys } }),
      await startService({ capture: sandbox.client, access: { apiKeys } }),
    ];
    const told = [
      await get('/records/manifest', 'plain', seen.url),
      await get('/records/manifest', 'plain', open.url),
      await get('/records/manifest?fields=email', 'plain', seen.url),
    ];
    await seen.close();
    await open.close();

    expect(told.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
    for (const each of told) expect(each.text).to.include('"code":"not_deidentified"');
    expect(new Set(told.map((each) => each.text.replace(/"instance":"[^"]*"/, ''))).size).to.equal(1);
  });

  it('has the digests of the manifest that crf writes, which names the whole dictionary besides', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'crf-manifest-'));
    const environment = { SANDBOX_STUDY: 'longitudinal', PSEUDONYM_KEY: SECRET };
    const key = KEYS.stats?.apiKey;
    const server = await runServer({
      ...environment,
      POLICY_FILE: POLICY,
      API_KEYS: `stats:${key?.sha256 ?? ''}:project:read+records:read`,
    });
    try {
      const args = ['export', '--as', 'key:stats', '--policy', POLICY, '--format', 'csv', '--sandbox'];
      const file = join(folder, 'manifest.json');
      // The digest is that of the built program, which the server is too.
      const run = await spawnCrf([...args, '--manifest', file], { environment });
      const whole = JSON.parse(await readFile(file, 'utf8')) as WholeManifest;
      const { hidden, madeAt, digests, ...written } = whole;
      const { text } = await get('/records/manifest', 'stats', server.url);
      const { madeAt: later, ...told } = (JSON.parse(text) as { data: ExportManifest }).data;

      expect(run.exitCode, run.stderr).to.equal(0);
      const { dictionary, ...shared } = digests;
      expect({ ...written, digests: shared }).to.deep.equal(told);
      expect([madeAt <= later, /^sha256:[0-9a-f]{64}$/.test(dictionary ?? '')]).to.deep.equal([true, true]);
      expect(hidden.map(({ field }) => field)).to.include('email');
    } finally {
      server.kill('SIGTERM');
      await server.exited;
      await rm(folder, { recursive: true });
    }
  });
});
