import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../../src/server/config/settings.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { startServer, type RunningServer } from '../../../src/server/start-server.js';
import { NO_LOAD_SHEDDING } from '../../support/no-load-shedding.js';
import { runCrf } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { keyWith } from '../../support/start-service.js';
import { classicStudy } from '../../support/studies.js';

const planOf = (target: number | string): string => `version: 1\nrecruitment: { target: ${target} }\n`;
const WRONG_TOKEN = 'F'.repeat(32);

describe('A server of several projects', function () {
  this.timeout(60_000);
  const key = keyWith(...SCOPES);
  const ofTrial = keyWith('project:read');
  let folder: string;
  let sandboxes: Awaited<ReturnType<typeof startTestSandbox>>[];
  let server: RunningServer;

  before(async () => {
    const classic = classicStudy();
    const titled = (title: string) =>
      startTestSandbox({
        ...classic,
        project: { ...classic.project, title, settings: { record_autonumbering_enabled: 0 } },
      });
    sandboxes = await Promise.all([titled('The cohort'), titled('The trial')]);
    const [cohort, trial] = sandboxes;
    folder = mkdtempSync(join(tmpdir(), 'crf-projects-'));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('cohort.token', cohort?.token ?? '');
    write('broken.token', WRONG_TOKEN);
    write('trial.study.yaml', planOf(40));
    write(
      'projects.yaml',
      `version: 1
default: cohort
projects:
  cohort: { url: "${cohort?.url}", tokenFile: cohort.token, timeZone: Europe/Paris }
  trial: { url: "${trial?.url}", tokenEnv: TRIAL_TOKEN, recordIdMinLength: 1, study: trial.study.yaml }
  broken: { url: "${cohort?.url}", tokenFile: broken.token }
keys:
  - { name: all, sha256: ${key.apiKey.sha256}, projects: [cohort, trial, broken], scopes: [${SCOPES.join(', ')}] }
  - { name: trial, sha256: ${ofTrial.apiKey.sha256}, projects: [trial], scopes: [project:read] }
`,
    );
    const load = () =>
      loadSettings({
        ...NO_LOAD_SHEDDING,
        PORT: '0',
        ADMIN_PORT: '0',
        LOG_LEVEL: 'silent',
        AUDIT_LOG: `file:${join(folder, 'audit.log')}`,
        PROJECTS_FILE: join(folder, 'projects.yaml'),
        TRIAL_TOKEN: trial?.token,
      });
    server = await startServer(load(), load);
  });
  after(async () => {
    await server.stop();
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
    rmSync(folder, { recursive: true });
  });

  const get = (path: string, { authorization } = key, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { authorization, ...init.headers } });
  const operatorsSee = async (path: string) => (await fetch(`${server.adminUrl}${path}`)).text();

  it('PROJ-01: serves the projects of the file, with its keys', async () => {
    const titles = await Promise.all(
      ['', '/projects/cohort', '/projects/trial'].map(async (prefix) => {
        const { data } = (await (await get(`${prefix}/api/v1/project/info`)).json()) as {
          data: { title: string };
        };
        return data.title;
      }),
    );

    expect(titles).to.deep.equal(['The cohort', 'The cohort', 'The trial']);
    expect((await get('/projects/cohort/api/v1/project/info', ofTrial)).status).to.equal(404);
  });

  it('PROJ-01: applies the settings of each', async () => {
    const record = { id: 'A-7' };
    const importTo = async (name: string) => {
      const answer = await get(`/projects/${name}/api/v1/records?dryRun=true`, key, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ records: [record] }),
      });
      return answer.status;
    };

    expect([await importTo('trial'), await importTo('cohort')]).to.deep.equal([200, 422]);
  });

  it('PROJ-07: one token that is refused leaves the others as they were; operators see which', async () => {
    const statuses = [];
    for (const name of ['broken', 'cohort', 'trial'])
      statuses.push((await get(`/projects/${name}/api/v1/project/version`)).status);
    const ready = JSON.parse(await operatorsSee('/ready')) as { status: string; projects: unknown };

    expect(statuses).to.deep.equal([502, 200, 200]);
    expect(ready.status).to.equal('degraded');
    expect(ready.projects).to.deep.equal([
      { name: 'cohort', status: 'up' },
      { name: 'trial', status: 'up' },
      { name: 'broken', status: 'down', reason: 'upstream_refused' },
    ]);
    expect(await operatorsSee('/metrics'))
      .to.include('crf_dependency_up{dependency="redcap",project="broken"} 0')
      .and.include('crf_dependency_up{dependency="redcap",project="trial"} 1')
      .and.match(/crf_project_requests_total\{project="broken",http_response_status_code="502"\} 1/);
  });

  it('PROJ-02: keeps the names of projects from who asks without a key, and other names from the metrics', async () => {
    const ready = await (await fetch(`${server.url}/health/ready`)).text();
    await get('/projects/nonesuch/api/v1/project/version');

    expect(ready).to.not.match(/cohort|trial|broken/);
    expect(await operatorsSee('/metrics')).to.not.include('nonesuch');
  });

  it('PROJ-05: keeps an audit log for each project, which names it', async () => {
    await get('/projects/trial/api/v1/records?pageSize=1');
    const entries = (name: string) =>
      readFileSync(join(folder, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { event: string; project?: string });

    expect(entries('audit.trial.log').map(({ project }) => project))
      .to.include('trial')
      .and.not.include('cohort');
    expect(entries('audit.trial.log').map(({ event }) => event)).to.include('call.ended');
    expect(entries('audit.log').every(({ project }) => project === undefined)).to.equal(true);
  });

  it('OPS-08: exchanges the token of one while the service runs', async () => {
    writeFileSync(join(folder, 'broken.token'), sandboxes[0]?.token ?? '');
    await server.rereadSecrets?.();

    expect((await get('/projects/broken/api/v1/project/version')).status).to.equal(200);
  });

  describe('whose file is read again', () => {
    let text: string;
    beforeEach(() => {
      text = readFileSync(join(folder, 'projects.yaml'), 'utf8');
      // With the token of another project, it would be refused as the same one.
      writeFileSync(join(folder, 'broken.token'), WRONG_TOKEN);
    });
    afterEach(() => rereadWith(text));

    const rereadWith = async (changed: string) => {
      writeFileSync(join(folder, 'projects.yaml'), changed);
      await server.reread?.();
    };
    const statusIn = async (name: string, who = key) =>
      (await get(`/projects/${name}/api/v1/project/version`, who)).status;

    it('PROJ-08: takes a project out and a key, and leaves the others and their cursors as they were', async () => {
      const first = await get('/projects/trial/api/v1/records?pageSize=1&fields=id');
      const [, next = ''] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? [];

      await rereadWith(
        text
          .replace(/\n {2}broken:.*/, '')
          .replace(', broken]', ']')
          .replace(/\n {2}- \{ name: trial.*/, ''),
      );

      expect([
        await statusIn('broken'),
        await statusIn('trial'),
        await statusIn('trial', ofTrial),
      ]).to.deep.equal([404, 200, 401]);
      expect((await get(new URL(next).pathname + new URL(next).search)).status).to.equal(200);
    });

    it('PROJ-08: refuses a key that crf key revoke has taken out of the file', async () => {
      const environment = {
        PROJECTS_FILE: join(folder, 'projects.yaml'),
        TRIAL_TOKEN: sandboxes[1]?.token ?? '',
      };
      const revoked = await runCrf(['key', 'revoke', 'trial', '--yes'], { environment });
      expect(revoked.exitCode, revoked.stderr).to.equal(0);
      await server.reread?.();

      expect([await statusIn('trial'), await statusIn('trial', ofTrial)]).to.deep.equal([200, 401]);
    });

    it('PROJ-08: puts a new project and another default to use', async () => {
      await rereadWith(
        text
          .replace('default: cohort', 'default: second')
          .replace('\n  trial:', '\n  second: { sandbox: longitudinal }\n  trial:')
          .replace('[cohort, trial, broken]', '[cohort, second, trial, broken]'),
      );

      const { data } = (await (await get('/api/v1/project/info')).json()) as { data: { title: string } };
      expect(data.title).to.equal('Trial 2026 (synthetic)');
      expect(await statusIn('cohort')).to.equal(200);
    });

    it('PROJ-08: keeps the previous file where the new one has a mistake', async () => {
      await rereadWith(text.replace('tokenEnv: TRIAL_TOKEN', 'tokenEnv: NO_SUCH_TOKEN'));

      expect([
        await statusIn('cohort'),
        await statusIn('trial'),
        await statusIn('trial', ofTrial),
      ]).to.deep.equal([200, 200, 200]);
    });

    it('PROJ-08: puts another plan of a study to use, and keeps what callers hold', async () => {
      const target = async () => {
        const answer = await get('/projects/trial/api/v1/project/summary');
        return ((await answer.json()) as { data: { recruitment: { target: number } } }).data.recruitment
          .target;
      };
      const store = () =>
        get('/projects/trial/api/v1/records', key, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'a-key-of-before-the-plan' },
          body: JSON.stringify({ records: [{ id: 'A-7' }] }),
        });
      const rereadPlan = async (plan: string) => {
        writeFileSync(join(folder, 'trial.study.yaml'), plan);
        await server.reread?.();
      };
      const before = [await target(), (await store()).headers.get('idempotent-replayed')];
      const first = await get('/projects/trial/api/v1/records?pageSize=1&fields=id');
      const [, next = ''] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? [];

      await rereadPlan(planOf(50));
      const after = [await target(), (await store()).headers.get('idempotent-replayed')];
      const followed = await get(new URL(next).pathname + new URL(next).search);
      await rereadPlan(planOf('many'));
      const kept = await target();
      await rereadPlan(planOf(40));

      expect([before, after, kept, await target()]).to.deep.equal([[40, null], [50, 'true'], 50, 40]);
      expect(followed.status).to.equal(200);
    });

    it('PROJ-08: continues the audit log of a project whose settings have changed', async () => {
      await rereadWith(text.replace('recordIdMinLength: 1', 'recordIdMinLength: 2'));
      await get('/projects/trial/api/v1/records?pageSize=1');

      const lines = readFileSync(join(folder, 'audit.trial.log'), 'utf8').trim().split('\n');
      const entries = lines.map((line) => JSON.parse(line) as { seq: number; event: string });
      expect(entries.map(({ seq }) => seq)).to.deep.equal(entries.map((_entry, at) => at + 1));
      expect(entries.filter(({ event }) => event === 'service.started')).to.have.length(1);
    });

    it('PROJ-08: loses no request under many changes of the file', async () => {
      let isOver = false;
      const statuses = new Set<number>();
      const load = Promise.all(
        ['cohort', 'trial'].map(async (name) => {
          while (!isOver) statuses.add(await statusIn(name));
        }),
      );
      for (let change = 2; change < 22; change += 1)
        await rereadWith(text.replace('recordIdMinLength: 1', `recordIdMinLength: ${change}`));
      isOver = true;
      await load;

      expect([...statuses]).to.deep.equal([200]);
    });
  });
});
