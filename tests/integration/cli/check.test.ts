import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeServer, listen } from '../../support/start-service.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';

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
