import { expect } from 'chai';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningServer } from '../../../src/server/start-server.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { keyWith } from '../../support/start-service.js';
import { startWholeService } from '../../support/start-whole-service.js';
import { until } from '../../support/until.js';

interface Ready {
  readonly status: string;
  readonly dependencies: readonly { readonly name: string; readonly status: string }[];
  readonly projects: readonly { readonly name: string; readonly status: string; readonly reason?: string }[];
}

describe('The audit log of one of several projects, once it cannot be written', function () {
  this.timeout(60_000);
  const key = keyWith('records:read', 'project:read');
  let folder: string;
  let sandboxes: Awaited<ReturnType<typeof startTestSandbox>>[];
  let server: RunningServer;

  before(async () => {
    sandboxes = await Promise.all([startTestSandbox(), startTestSandbox()]);
    const [cohort, trial] = sandboxes;
    folder = await mkdtemp(join(tmpdir(), 'crf-audits-'));
    await writeFile(join(folder, 'cohort.token'), cohort?.token ?? '');
    await writeFile(join(folder, 'trial.token'), trial?.token ?? '');
    await writeFile(
      join(folder, 'projects.yaml'),
      `version: 1
projects:
  cohort: { url: "${cohort?.url}", tokenFile: cohort.token }
  trial: { url: "${trial?.url}", tokenFile: trial.token }
keys:
  - { name: all, sha256: ${key.apiKey.sha256}, projects: [cohort, trial], scopes: [records:read, project:read] }
`,
    );
    server = await startWholeService({
      ADMIN_PORT: '0',
      AUDIT_LOG: `file:${join(folder, 'audit.log')}`,
      PROJECTS_FILE: join(folder, 'projects.yaml'),
    });
  });
  after(async () => {
    await server.stop();
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
    await rm(folder, { recursive: true });
  });

  const read = async (project: string): Promise<number> => {
    const headers = { authorization: key.authorization };
    return (await fetch(`${server.url}/projects/${project}/api/v1/records`, { headers })).status;
  };
  const ready = async () => {
    const answer = await fetch(`${server.adminUrl}/ready`);
    return { http: answer.status, ...((await answer.json()) as Ready) };
  };
  const metric = async (name: string): Promise<string | undefined> =>
    (await (await fetch(`${server.adminUrl}/metrics`)).text())
      .split('\n')
      .find((line) => line.startsWith(name));

  it('OPS-01: makes the replica not ready, names the project, and leaves the others', async () => {
    expect([await read('cohort'), await read('trial'), (await ready()).status]).to.deep.equal([
      200,
      200,
      'ready',
    ]);
    await appendFile(join(folder, 'audit.trial.log'), '{"another":"process"}\n');

    expect([await read('trial'), await read('cohort')]).to.deep.equal([503, 200]);
    const found = await until(async () => {
      const now = await ready();
      return now.status === 'not_ready' ? now : undefined;
    });

    expect([found.http, found.status]).to.deep.equal([503, 'not_ready']);
    expect(found.dependencies.find(({ name }) => name === 'audit')?.status).to.equal('down');
    expect(found.projects).to.deep.equal([
      { name: 'cohort', status: 'up' },
      { name: 'trial', status: 'down', reason: 'audit_unavailable' },
    ]);
    expect(await metric('crf_dependency_up{dependency="audit"')).to.match(/ 0$/);
    expect(await metric('crf_audit_log_failing')).to.equal('crf_audit_log_failing 1');
  });

  it('OPS-01: is ready again once it can be written, without any other call', async () => {
    const path = join(folder, 'audit.trial.log');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('{"another":"process"}\n', ''));

    const found = await until(async () => {
      const now = await ready();
      return now.status === 'ready' ? now : undefined;
    });

    expect(found.projects.map(({ status }) => status)).to.deep.equal(['up', 'up']);
    expect(await metric('crf_audit_log_failing')).to.equal('crf_audit_log_failing 0');
    expect(await read('trial')).to.equal(200);
  });
});
