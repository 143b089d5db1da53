import { expect } from 'chai';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { RunningServer } from '../../../src/server/start-server.js';
import { startFaultServer, type FaultServer } from '../../support/fault-server.js';
import { describeWith } from '../../support/needed-programs.js';
import { NginxServer } from '../../support/nginx-server.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { keyWith } from '../../support/start-service.js';
import { startWholeService } from '../../support/start-whole-service.js';
import { until } from '../../support/until.js';

interface Line {
  readonly msg?: string;
  readonly [name: string]: unknown;
}

describe('A REDCap that hangs, for longer than the idle time of the server', function () {
  this.timeout(60_000);
  const key = keyWith('records:read', 'records:write', 'files:write', 'project:read');
  let folder: string;
  let hanging: FaultServer;
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let server: RunningServer;
  const lines: Line[] = [];

  before(async () => {
    hanging = await startFaultServer(() => ({ kind: 'hang', at: 'head' }));
    sandbox = await startTestSandbox();
    folder = await mkdtemp(join(tmpdir(), 'crf-hanging-'));
    await writeFile(join(folder, 'cohort.token'), sandbox.token);
    await writeFile(join(folder, 'trial.token'), 'A'.repeat(32));
    await writeFile(
      join(folder, 'projects.yaml'),
      `version: 1
projects:
  cohort: { url: "${sandbox.url}", tokenFile: cohort.token }
  trial: { url: "${hanging.url}", tokenFile: trial.token }
keys:
  - name: all
    sha256: ${key.apiKey.sha256}
    projects: [cohort, trial]
    scopes: [records:read, records:write, files:write, project:read]
`,
    );
    server = await startWholeService({
      AUDIT_LOG: `file:${join(folder, 'audit.log')}`,
      PROJECTS_FILE: join(folder, 'projects.yaml'),
      TRUST_PROXY: '1',
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
      SERVER_IDLE_TIMEOUT_MS: '100',
      CAPTURE_FIRST_BYTE_TIMEOUT_MS: '300',
      CAPTURE_BREAKER_FAILURES: '0',
    });
    for (const level of ['info', 'warn', 'error'] as const)
      server.logger[level] = (...said: unknown[]) =>
        void lines.push({ ...(said[0] as object), msg: String(said[1]) });
  });
  after(async () => {
    await server.stop();
    await hanging.close();
    await sandbox.close();
    await rm(folder, { recursive: true });
  });

  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}/projects/trial/api/v1/${path}`, {
      ...init,
      headers: { authorization: key.authorization, ...init.headers },
    });

  for (const [what, path, init] of [
    ['an export', 'records', {}],
    ['one record', 'records/DEMO-2026-PARTICIPANT-0001', {}],
    ['the version', 'project/version', {}],
    [
      'an import',
      'records',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[{"record_id":"x"}]' },
    ],
    [
      'a file',
      'records/DEMO-2026-PARTICIPANT-0001/files/consent_form',
      {
        method: 'PUT',
        headers: { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="a.pdf"' },
        body: '%PDF',
      },
    ],
  ] as const)
    it(`OPS-03: gives the caller of ${what} 504, and not an empty reply`, async () => {
      const answer = await ask(path, init);

      expect([answer.status, ((await answer.json()) as { code: string }).code]).to.deep.equal([
        504,
        'upstream_timeout',
      ]);
    });

  it('LOG-01: gives a caller who leaves before the answer no status in the log', async () => {
    const leaving = new AbortController();
    const asked = ask('project/version', {
      signal: leaving.signal,
      headers: { 'x-request-id': 'the-one-who-leaves' },
    });
    const left = asked.catch(() => 'left');
    const before = hanging.requests.length;
    await until(() => hanging.requests.length > before);
    leaving.abort();
    await left;

    const line = await until(() => lines.find(({ requestId }) => requestId === 'the-one-who-leaves'));
    expect(line).to.include({ aborted: true, status: undefined });
  });

  it('LOG-04: is named in the audit log, and not the caller', async () => {
    const entries = (await readFile(join(folder, 'audit.trial.log'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
      .filter(({ event }) => event === 'call.ended');

    expect(entries.map(({ outcome, status, reason }) => [outcome, status, reason])).to.deep.equal(
      Array.from({ length: entries.length }, () => ['failed', 504, 'upstream_timeout']),
    );
    expect(entries.length).to.be.at.least(4);
  });

  describeWith(['nginx'], 'behind the shipped nginx', () => {
    let nginx: NginxServer;
    before(async () => {
      const port = Number(new URL(server.url).port);
      nginx = await NginxServer.start([port, port]);
    });
    after(() => nginx.dispose());

    async function through(path: string): Promise<number | undefined> {
      const sent = request(`${nginx.url}${path}`, {
        ca: nginx.certificate,
        servername: nginx.host,
        headers: { host: nginx.host, authorization: key.authorization },
      });
      sent.end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      return answer.statusCode;
    }

    it('OPS-03: takes no other project away', async () => {
      const slow = await Promise.all(
        Array.from({ length: 6 }, () => through('/projects/trial/api/v1/project/version')),
      );
      const healthy = await Promise.all(
        Array.from({ length: 6 }, () => through('/projects/cohort/api/v1/project/version')),
      );

      expect(new Set(slow)).to.deep.equal(new Set([504]));
      expect(new Set(healthy)).to.deep.equal(new Set([200]));
    });
  });
});
