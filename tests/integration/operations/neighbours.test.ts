import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../../src/server/config/settings.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { startRedcapSandbox, type RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { startServer, type RunningServer } from '../../../src/server/start-server.js';
import { startFaultServer, type Fault, type FaultServer } from '../../support/fault-server.js';
import { forward } from '../../support/forward.js';
import { NO_LOAD_SHEDDING } from '../../support/no-load-shedding.js';
import { keyWith } from '../../support/start-service.js';
import { classicStudy } from '../../support/studies.js';
import { until } from '../../support/until.js';

/** Projects of one REDCap, by the last digits of their tokens; and one of another REDCap, which has banned the address. */
const NAMES = ['cohort', 'trial', 'flooding', 'hung', 'revoked'] as const;
const tokenOf = (name: string): string => Buffer.from(name.padEnd(16)).toString('hex').toUpperCase();

describe('The neighbours of a project', function () {
  this.timeout(60_000);
  const key = keyWith(...SCOPES);
  let folder: string;
  let redcap: RedcapSandbox;
  let banning: RedcapSandbox;
  let front: FaultServer;
  let server: RunningServer;
  /** What is done with the calls of a project in the place of their answer. */
  let faultOf: (name: string, content: string | null, answer: () => Promise<Fault>) => Fault | Promise<Fault>;

  before(async () => {
    const classic = classicStudy();
    const [first, ...others] = NAMES.filter((name) => name !== 'revoked').map((name) => ({
      ...classic,
      project: { ...classic.project, title: name },
      users: classic.users.map((user, at) => ({ ...user, token: at === 0 ? tokenOf(name) : '' })),
    }));
    redcap = await startRedcapSandbox({ study: first ?? classic, otherStudies: others });
    banning = await startRedcapSandbox({ study: classic, fault: 'banned' });
    front = await startFaultServer((request) => {
      const name = NAMES.find((each) => tokenOf(each) === request.form.get('token')) ?? '';
      return faultOf(name, request.form.get('content'), () => forward(redcap.url, request));
    });
    folder = mkdtempSync(join(tmpdir(), 'crf-neighbours-'));
    for (const name of [...NAMES, 'banned']) writeFileSync(join(folder, name), tokenOf(name));
  });
  after(async () => {
    await Promise.all([front.close(), redcap.close(), banning.close()]);
    rmSync(folder, { recursive: true });
  });

  beforeEach(async () => {
    faultOf = (name, _content, answer) => (name === 'hung' ? { kind: 'hang', at: 'head' } : answer());
    writeProjects([...NAMES, 'banned']);
    const load = () =>
      loadSettings({
        ...NO_LOAD_SHEDDING,
        PORT: '0',
        ADMIN_PORT: '0',
        LOG_LEVEL: 'silent',
        AUDIT_LOG: 'off',
        CAPTURE_CALLS_PER_MINUTE: '400',
        PROJECTS_FILE: join(folder, 'projects.yaml'),
      });
    server = await startServer(load(), load);
  });
  afterEach(() => server.stop());

  function writeProjects(names: readonly string[]): void {
    const entries = names.map((name) => {
      const url = name === 'banned' ? banning.url : front.url;
      return `  ${name}: { url: "${url}", tokenFile: ${name} }\n`;
    });
    const scopes = SCOPES.join(', ');
    writeFileSync(
      join(folder, 'projects.yaml'),
      `version: 1\nprojects:\n${entries.join('')}keys:\n  - { name: all, sha256: ${key.apiKey.sha256}, projects: [${names.join(', ')}], scopes: [${scopes}] }\n`,
    );
  }

  const get = (name: string, path: string, signal?: AbortSignal) =>
    fetch(`${server.url}/projects/${name}/api/v1/${path}`, {
      headers: { authorization: key.authorization },
      ...(signal && { signal }),
    });
  /** An answer that is not in the cache. */
  const statusOf = async (name: string, signal?: AbortSignal): Promise<number> => {
    const answer = await get(name, 'records?limit=1', signal);
    await answer.arrayBuffer();
    return answer.status;
  };
  const operatorsSee = async (path: string) => (await fetch(`${server.adminUrl}${path}`)).text();

  it('PROJ-07: hang, are banned, flood and lost their rights, and operators see which; the others answer', async () => {
    const leaving = new AbortController();
    const times = (count: number) => Array.from({ length: count });
    const hanging = times(20).map(() => statusOf('hung', leaving.signal).catch(() => 0));
    const flood = times(300).map(() => statusOf('flooding'));

    const ofOthers: number[] = [];
    for (let round = 0; round < 10; round += 1)
      ofOthers.push(...(await Promise.all([statusOf('cohort'), statusOf('trial')])));
    const bad = [await statusOf('banned'), await statusOf('revoked')];
    const flooded = new Set(await Promise.all(flood));
    const ready = await until(async () => {
      const { projects } = JSON.parse(await operatorsSee('/ready')) as {
        projects: { name: string; status: string; reason?: string }[];
      };
      const found = new Map(projects.map(({ name, status, reason }) => [name, [status, reason]]));
      return found.get('hung')?.[0] === 'down' && found;
    });
    leaving.abort();
    await Promise.all(hanging);

    expect(new Set(ofOthers)).to.deep.equal(new Set([200]));
    expect(bad).to.deep.equal([502, 502]);
    expect(flooded.size).to.be.above(1);
    expect(Object.fromEntries([...ready].filter(([name]) => name !== 'flooding'))).to.deep.equal({
      cohort: ['up', undefined],
      trial: ['up', undefined],
      hung: ['down', 'upstream_timeout'],
      revoked: ['down', 'upstream_refused'],
      banned: ['down', 'upstream_banned'],
    });
    const metrics = await operatorsSee('/metrics');
    for (const [name, isUp] of Object.entries({ cohort: 1, trial: 1, hung: 0, revoked: 0, banned: 0 }))
      expect(metrics).to.include(`crf_dependency_up{dependency="redcap",project="${name}"} ${isUp}`);
  });

  it('PROJ-08: end as unknown when they are taken out, also in the middle of an answer', async () => {
    faultOf = async (name, content, answer) => {
      if (name !== 'trial') return answer();
      if (content === 'log') return { kind: 'hang', at: 'head' };
      const whole = await answer();
      if (content !== 'record' || whole.kind !== 'answer') return whole;
      const until = new Promise(() => undefined);
      return { kind: 'hold', body: whole.body ?? '', fraction: 0.9, until };
    };
    const waiting = get('trial', 'log');
    const begun = await get('trial', 'records?format=csv');
    await until(() => front.requests.some(({ form }) => form.get('content') === 'log'));
    const ofCohort = get('cohort', 'records?format=csv');

    writeProjects(NAMES.filter((name) => name !== 'trial'));
    await server.reread?.();

    const refused = await waiting;
    expect(begun.status).to.equal(200);
    expect(await begun.text().catch(() => 'cut off')).to.equal('cut off');
    expect(await refused.json()).to.include({ status: 404, code: 'project_not_found' });
    expect((await ofCohort).status).to.equal(200);
    expect(await operatorsSee('/metrics')).to.not.include('project="trial"');
  });
});
