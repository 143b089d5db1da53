import { expect } from 'chai';
import { CallerViews } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { keyWith, startService, type TestService } from '../../support/start-service.js';
import { armsStudy } from '../../support/studies.js';

const POLICY = `version: 1
policies:
  later: { records: all, events: [visit_arm_1], forms: { enrol: write, visit: write }, files: write }
  consented: { records: { where: "[consent] <> ''" }, forms: { '*': write }, files: write }
  living: { records: { where: "[alive] = '1'" }, forms: { '*': write }, files: write }
bindings:
  - { key: later, policy: later }
  - { key: consented, policy: consented }
  - { key: living, policy: living }
`;

const KEYS = Object.fromEntries(
  ['later', 'consented', 'living'].map((name) => {
    const { authorization, apiKey } = keyWith('files:read', 'files:write', 'surveys:read');
    return [name, { authorization, apiKey: { ...apiKey, name } }] as const;
  }),
);

const PLACE = { record: '1', field: 'consent', event: 'start_arm_1' };

describe('A place under a policy (GW-03)', () => {
  let sandbox: SandboxClient;
  let service: TestService;

  before(async () => {
    const study = armsStudy();
    sandbox = await startSandboxClient({
      ...study,
      surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
    });
    const set = readPolicyFile(POLICY);
    const lock = acceptAll(set, await loadProjectStructure(sandbox.client));
    service = await startService({
      capture: sandbox.client,
      policy: new CallerViews(sandbox.client, { set, lock }, 'secret'),
      access: { apiKeys: Object.values(KEYS).map(({ apiKey }) => apiKey) },
    });
    await sandbox.client.files.put(PLACE, { name: 'signed.txt', bytes: Buffer.from('signed') });
  });
  after(async () => {
    await service.close();
    await sandbox.close();
  });

  async function ask(name: string, path: string, method = 'GET') {
    const response = await fetch(`${service.url}/api/v1/${path}`, {
      method,
      headers: { authorization: KEYS[name]?.authorization ?? '', 'content-type': 'text/plain' },
      ...(method === 'PUT' && { body: 'other' }),
    });
    const { code } = (await response.json().catch(() => ({}))) as { code?: unknown };
    return { status: response.status, code };
  }
  const stored = async (): Promise<string> => {
    const { body } = await sandbox.client.files.get(PLACE);
    return Buffer.concat(await body.toArray()).toString();
  };

  it('is never that of a hidden event because no event was named', async () => {
    const path = 'records/1/files/consent';

    expect(await ask('later', path)).to.include({ code: 'file_not_found' });
    expect((await ask('later', `${path}?fileName=x.txt`, 'PUT')).status).to.equal(400);
    expect(await ask('later', path, 'DELETE')).to.include({ code: 'file_not_found' });
    for (const blank of [`${path}?event=`, `${path}?event=visit_arm_1&event=start_arm_1`])
      expect((await ask('later', blank)).status, blank).to.equal(400);
    expect(await stored()).to.equal('signed');
  });

  it('lets nobody change the file that decides about the record', async () => {
    const path = 'records/1/files/consent?event=start_arm_1';

    expect((await ask('consented', path)).status).to.equal(200);
    for (const attempt of [
      ask('consented', `${path}&fileName=x.txt`, 'PUT'),
      ask('consented', path, 'DELETE'),
    ])
      expect(await attempt).to.include({ code: 'not_in_policy' });
    expect(await stored()).to.equal('signed');
  });

  it('opens no survey with a field that decides about the records', async () => {
    const surveys = ['link', 'return-code'].map(
      (name) => `records/1/surveys/enrol/${name}?event=start_arm_1`,
    );
    const code = 'surveys/enrol/access-code?record=1&event=start_arm_1';
    for (const name of ['consented', 'living'])
      for (const path of [...surveys, code, 'records/1/surveys/queue-link'])
        expect(await ask(name, path), `${name} ${path}`).to.include({ code: 'not_in_policy' });
  });
});
