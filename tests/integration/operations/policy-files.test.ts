import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createApiKey, hashApiKey } from '../../../src/services/access/api-key.js';
import { runServer, type ServerProcess } from '../../support/run-server.js';
import { until } from '../../support/until.js';

const policyOf = (forms: string): string => `version: 1
policies:
  analyst: { records: all, forms: { ${forms} } }
  outdated: { records: all, forms: { no_such_form: read } }
bindings:
  - { key: stats, policy: analyst }
  - { key: old, policy: outdated }
`;
const lockOf = (form: string, field: string): string =>
  `version: 1\npolicies: { analyst: { ${form}: [${field}] } }\n`;

describe('The policy of a running service (GW-03)', () => {
  const keys = { stats: createApiKey(), old: createApiKey() };
  let folder: string;
  let server: ServerProcess;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'policy-files-'));
    await put(policyOf('vitals: read'), lockOf('vitals', 'weight_kg'));
    server = await runServer({
      SANDBOX_STUDY: 'longitudinal',
      POLICY_FILE: join(folder, 'policy.yaml'),
      API_KEYS: Object.entries(keys)
        .map(([name, key]) => `${name}:${hashApiKey(key)}:project:read`)
        .join(','),
    });
  });
  after(async () => {
    server.kill('SIGTERM');
    await server.exited;
    await rm(folder, { recursive: true });
  });

  async function put(policy: string, lock: string): Promise<void> {
    await writeFile(join(folder, 'policy.yaml'), policy);
    await writeFile(join(folder, 'policy.lock'), lock);
  }
  const get = async (name: keyof typeof keys, path: string) => {
    const headers = { authorization: `Bearer ${keys[name]}` };
    const answer = await fetch(server.url + path, { headers });
    return { status: answer.status, body: (await answer.json()) as { code?: string; data?: object[] } };
  };
  const visible = async (): Promise<unknown[]> =>
    ((await get('stats', '/api/v1/project/fields')).body.data ?? []).map((field) => Object.values(field)[0]);
  /** Writes both files, tells the service, and waits until it has said what it does. */
  async function reread(policy: string, lock: string): Promise<string> {
    const before = server.log.length;
    await put(policy, lock);
    server.kill('SIGHUP');
    return until(() => server.log.slice(before).find(({ msg }) => msg?.startsWith('the policy'))?.msg);
  }

  it('closes what does not fit the project, and only that, and readiness says it', async () => {
    const closed = await get('old', '/api/v1/project/fields');
    const ready = await fetch(`${server.url}/health/ready`);
    const { status, dependencies } = (await ready.json()) as {
      status: string;
      dependencies: { name: string; status: string }[];
    };

    expect([closed.status, closed.body.code]).to.deep.equal([503, 'policy_invalid']);
    expect(await visible()).to.deep.equal(['record_id', 'weight_kg']);
    expect([ready.status, status]).to.deep.equal([200, 'degraded']);
    expect(dependencies.find(({ name }) => name === 'policy')?.status).to.equal('down');
  });

  it('is read again on SIGHUP, with its lock', async () => {
    const said = await reread(policyOf('quality_of_life: read'), lockOf('quality_of_life', 'sleep'));

    expect(said).to.equal('the policy was read again and is in use');
    expect(await visible()).to.deep.equal(['record_id', 'sleep']);
  });

  const BROKEN = [
    ['the policy has a mistake', policyOf('vitals: everything'), lockOf('vitals', 'weight_kg')],
    ['the lock has one', policyOf('vitals: read'), 'version: 2\n'],
  ] as const;
  for (const [what, policy, lock] of BROKEN)
    it(`stays as it was, both files, if ${what}`, async () => {
      const said = await reread(policy, lock);

      expect(said).to.equal('the policy cannot be used: the previous one is kept');
      expect(await visible()).to.deep.equal(['record_id', 'sleep']);
    });
});
