import { expect } from 'chai';
import { appendFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditFile } from '../../../src/gateways/audit/audit-file.js';
import { AuditTrail } from '../../../src/services/audit/audit-trail.js';
import { closeServer, listen } from '../../support/start-service.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';
import { runCrf, spawnCrf, type CrfRun } from '../../support/run-crf.js';

const WRONG_TOKEN = 'A'.repeat(32);

/** The document of `--json`, which has one form for success and failure. */
function reportOf({ stdout }: CrfRun): {
  ok: boolean;
  exitCode: number;
  checks: { name: string; status: string; advice?: string }[];
} {
  const report = JSON.parse(stdout) as ReturnType<typeof reportOf>;
  expect(report).to.have.all.keys('ok', 'exitCode', 'target', 'checks');
  return report;
}

describe('crf check', function () {
  this.timeout(60_000);

  it('exits 0 on the sandbox, and reports each step', async () => {
    const { exitCode, stdout, stderr } = await runCrf(['check']);

    expect(exitCode).to.equal(0);
    expect(stdout)
      .to.match(/ok +version +\d+ ms +REDCap 16\.1\.9/)
      .and.to.include('All checks passed.');
    expect(stderr).to.include('sandbox');
  });

  it('exits 0 for a server that speaks the API', async () => {
    const sandbox = await startTestSandbox();
    const run = await runCrf(['check', '--json'], {
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token },
    });
    await sandbox.close();

    expect(run.exitCode).to.equal(0);
    expect(reportOf(run).checks.map(({ name }) => name)).to.deep.equal([
      'configuration',
      'network',
      'version',
      'project',
      'metadata',
      'records',
    ]);
  });

  it('GW-07: names what the plan of the study names and the project does not have', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'crf-'));
    const plan = join(folder, 'study.yaml');
    const sandbox = await startTestSandbox();
    const check = async (text: string) => {
      await writeFile(plan, text);
      return runCrf(['check', '--json'], {
        environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token, STUDY_FILE: plan },
      });
    };
    const right = await check('version: 1\nschedule: { anchor: consent_date, visits: {} }\n');
    const wrong = await check('version: 1\noptional: { forms: [enrollment, nix] }\n');
    const noDate = await check(
      'version: 1\nschedule: { anchor: consent_date, visitDate: first_name, visits: {} }\n',
    );
    await sandbox.close();
    await rm(folder, { recursive: true });

    expect(right.exitCode, right.stdout).to.equal(0);
    expect(reportOf(right).checks.at(-1)).to.include({ name: 'study', status: 'ok' });
    expect(wrong.exitCode).to.equal(2);
    expect(wrong.stdout).to.include('names what the project does not have: nix');
    expect(noDate.stdout).to.include('names what the project does not have: first_name (as a date)');
  });

  describe('of the audit log', () => {
    let folder: string;
    let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'crf-'));
      sandbox = await startTestSandbox();
    });
    afterEach(async () => {
      await sandbox.close();
      await rm(folder, { recursive: true });
    });

    const check = (path: string, more: Record<string, string> = {}, ...args: string[]) =>
      runCrf(['check', '--json', ...args], {
        environment: {
          CAPTURE_API_URL: sandbox.url,
          CAPTURE_API_TOKEN: sandbox.token,
          AUDIT_LOG: `file:${path}`,
          ...more,
        },
      });
    const REFUSED = 'AUDIT_LOG names a file that cannot be written, or is not an audit log';
    const logCheckOf = (run: CrfRun) => reportOf(run).checks.find(({ name }) => name === 'audit log');

    it('LOG-04: says where it continues, and neither creates nor changes a file', async () => {
      const path = join(folder, 'audit.log');
      const begins = await check(path);
      expect(await readdir(folder)).to.deep.equal([]);
      const trail = new AuditTrail(new AuditFile(path));
      await trail.start();
      await trail.close();
      await appendFile(path, '{"torn');
      const before = await readFile(path, 'utf8');
      const continues = await check(path);
      const after = await readFile(path, 'utf8');
      await rename(path, `${path}.1`);
      const rotated = await check(path);

      expect(begins.exitCode, begins.stdout).to.equal(0);
      expect(logCheckOf(begins)).to.include({ status: 'ok', detail: 'audit.log begins with the service' });
      for (const run of [continues, rotated])
        expect(logCheckOf(run)).to.include({ status: 'ok', detail: 'audit.log continues after entry 2' });
      expect(after).to.equal(before);
      expect(await readdir(folder)).to.deep.equal(['audit.log.1']);
    });

    it('LOG-04: finds what crf serve refuses: a folder that is missing or no folder, and lines of something else', async () => {
      const other = join(folder, 'other.log');
      await writeFile(other, 'Nov 28 08:00:00 host sshd: SENTINEL\n{"SENTINEL":1}\n');

      for (const path of [join(folder, 'none', 'audit.log'), folder, join(other, 'audit.log'), other]) {
        const run = await check(path);
        expect(run.exitCode, run.stdout).to.equal(2);
        expect(logCheckOf(run)).to.include({ status: 'failed' }).and.have.property('advice');
        expect(run.stdout).to.include(REFUSED).and.not.include('SENTINEL');
        const serve = { environment: { AUDIT_LOG: `file:${path}`, PORT: '0' } };
        expect((await spawnCrf(['serve'], serve)).stderr).to.include(REFUSED);
      }
    });

    it('OPS-10: looks at that of each project of PROJECTS_FILE too', async () => {
      const PROJECTS_FILE = join(folder, 'projects.yaml');
      await writeFile(
        PROJECTS_FILE,
        'version: 1\nprojects: { one: { sandbox: classic }, two: { sandbox: classic } }\n',
      );
      await writeFile(join(folder, 'audit.two.log'), '{"event":"of something else"}\n');
      const environment = { PROJECTS_FILE, AUDIT_LOG: `file:${join(folder, 'audit.log')}` };
      const all = await runCrf(['check'], { environment });
      const named = await runCrf(['--project', 'one', 'check'], { environment });

      expect(all.exitCode).to.equal(2);
      expect(all.stdout)
        .to.match(/^one +ok /m)
        .and.match(/^two +FAILED /m)
        .and.include(REFUSED);
      expect(named.exitCode).to.equal(0);
      expect(named.stdout).to.include(
        'audit.log begins with the service, audit.one.log begins with the service',
      );
    });
  });

  for (const [numbering, isTold] of [
    [0, true],
    [1, false],
  ] as const) {
    it(`IN-11: ${isTold ? 'warns of' : 'accepts'} short ids if REDCap ${isTold ? 'does not number' : 'numbers'} the records`, async () => {
      const classic = classicStudy();
      const settings = { record_autonumbering_enabled: numbering };
      const sandbox = await startTestSandbox({ ...classic, project: { ...classic.project, settings } });
      const run = await runCrf(['check'], {
        environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token },
      });
      await sandbox.close();

      expect(run.exitCode, run.stdout).to.equal(0);
      expect(run.stdout.includes('RECORD_ID_MIN_LENGTH'), run.stdout).to.equal(isTold);
    });
  }

  it('exits 3 for a wrong token, without showing it', async () => {
    const sandbox = await startTestSandbox();
    const run = await runCrf(['check', '--json'], {
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: WRONG_TOKEN },
    });
    await sandbox.close();

    expect(run.exitCode).to.equal(3);
    expect(reportOf(run)).to.include({ ok: false, exitCode: 3 });
    expect(run.stdout + run.stderr).to.not.include(WRONG_TOKEN);
  });

  it('exits 4 for a closed port, and suggests what to try next', async () => {
    const server = createServer();
    const url = await listen(server);
    await closeServer(server);
    const run = await runCrf(['check', '--json'], {
      environment: { CAPTURE_API_URL: `${url}/api/`, CAPTURE_API_TOKEN: WRONG_TOKEN },
    });

    expect(run.exitCode).to.equal(4);
    const { checks } = reportOf(run);
    expect(checks.find(({ status }) => status === 'failed')?.advice).to.be.a('string');
    expect(checks.filter(({ status }) => status === 'skipped')).to.not.be.empty;
  });

  it('exits 1 for a server that answers HTML', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>Welcome</title>');
    });
    const url = await listen(server);
    const run = await runCrf(['check', '--json'], {
      environment: { CAPTURE_API_URL: `${url}/api/`, CAPTURE_API_TOKEN: WRONG_TOKEN },
    });
    await closeServer(server);

    expect(run.exitCode).to.equal(1);
    expect(reportOf(run).ok).to.be.false;
  });

  it('exits 2 for an invalid configuration, and names every mistake', async () => {
    const run = await runCrf(['check'], { environment: { CAPTURE_API_URL: 'SENTINEL', PORT: 'SENTINEL' } });

    expect(run.exitCode).to.equal(2);
    expect(run.stdout).to.include('CAPTURE_API_URL').and.to.include('PORT').and.to.not.include('SENTINEL');
  });
});

describe('crf auth check', function () {
  this.timeout(60_000);

  it('exits 0 on the sandbox, and states which addresses may sign in', async () => {
    const { exitCode, stdout } = await runCrf(['auth', 'check']);

    expect(exitCode).to.equal(0);
    expect(stdout)
      .to.include('admits someone@example.org;')
      .and.to.include('refuses someone@sub.example.org');
  });

  it('exits 2 without a configuration, and 4 without an answer', async () => {
    const capture = { CAPTURE_API_URL: 'https://redcap.example.org/api/', CAPTURE_API_TOKEN: WRONG_TOKEN };
    const server = createServer();
    const url = await listen(server);
    await closeServer(server);
    const [none, closed] = await Promise.all([
      runCrf(['auth', 'check', '--json'], { environment: capture }),
      runCrf(['auth', 'check', '--json'], {
        environment: {
          ...capture,
          APPWRITE_ENDPOINT: `${url}/v1`,
          APPWRITE_PROJECT_ID: 'project',
          APPWRITE_API_KEY: 'standard_SENTINEL',
          LOGIN_URL: 'https://crf.example.org/login',
          ALLOWED_DOMAINS_REGEXP: 'example\\.org',
        },
      }),
    ]);

    expect(none.exitCode).to.equal(2);
    expect(closed.exitCode).to.equal(4);
    expect(reportOf(closed).ok).to.be.false;
    expect(closed.stdout + closed.stderr).to.not.include('SENTINEL');
  });
});
