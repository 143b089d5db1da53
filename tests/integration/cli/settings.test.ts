import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtFile } from '../../support/built-file.js';
import { runCrf } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

const ROW = '{"record_id":"COHORT-2026-PARTICIPANT-9001","age":"41"}\n';

describe('The settings of crf', function () {
  this.timeout(60_000);
  let folder: string;
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crf-settings-'));
    sandbox = await startTestSandbox();
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await sandbox.close();
  });

  function write(name: string, token = sandbox.token): void {
    writeFileSync(join(folder, name), `CAPTURE_API_URL=${sandbox.url}\nCAPTURE_API_TOKEN=${token}\n`);
  }

  it('come from .env, with the name of the project in one line', async () => {
    write('.env');

    const { exitCode, stderr } = await runCrf(['import', '-', '--format', 'ndjson'], {
      cwd: folder,
      input: ROW,
    });

    expect(exitCode, stderr).to.equal(0);
    expect(sandbox.project.records.get('COHORT-2026-PARTICIPANT-9001')).to.not.be.undefined;
    expect(stderr)
      .to.match(/^Settings from \.env: [^\n]+\nStored 1 record/)
      .and.to.not.include(sandbox.token);
  });

  it('come from the environment first', async () => {
    write('.env', 'F'.repeat(32));

    const { exitCode, stderr } = await runCrf(['version'], {
      cwd: folder,
      environment: { CAPTURE_API_TOKEN: sandbox.token },
    });

    expect(exitCode, stderr).to.equal(0);
    expect(stderr).to.include('The environment overrides CAPTURE_API_TOKEN.');
  });

  it('come from the --env-file in place of .env', async () => {
    write('.env', 'F'.repeat(32));
    write('other.env');

    const { exitCode, stderr } = await runCrf(['version', '--env-file', 'other.env'], { cwd: folder });

    expect(exitCode, stderr).to.equal(0);
    expect(stderr).to.match(/^Settings from other\.env: /);
  });

  it('come from .env for npm start too, and from --env-file', async () => {
    writeFileSync(join(folder, '.env'), 'PORT=SENTINEL\n');
    writeFileSync(join(folder, 'other.env'), 'LOG_LEVEL=SENTINEL\n');

    const [plain, named] = await Promise.all([startServer([]), startServer(['--env-file=other.env'])]);

    expect(plain)
      .to.match(/^Settings from \.env: PORT\.\n/)
      .and.to.match(/^ +PORT must/m);
    expect(named)
      .to.match(/^ +LOG_LEVEL /m)
      .and.to.not.include('PORT');
    expect(plain + named).to.not.include('SENTINEL');
  });

  /** @returns what the server writes to standard error before it exits */
  async function startServer(args: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, [builtFile('bin/server.js'), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '' },
    });
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(child.exitCode).to.equal(2);
    return stderr;
  }

  describe('without a project', () => {
    it('name the sandbox that a command reads', async () => {
      const { exitCode, stderr } = await runCrf(['export', '--fields', 'record_id']);

      expect(exitCode).to.equal(0);
      expect(stderr).to.match(/^No REDCap project is configured\. This is the sandbox: "Cohort 2026/);
    });

    for (const args of [
      ['import', '-', '--format', 'ndjson'],
      ['import', '-', '--format', 'ndjson', '--dry-run'],
      ['export', '-o', 'out.json'],
    ]) {
      it(`refuse to change anything: crf ${args.join(' ')}`, async () => {
        const { exitCode, stdout, stderr } = await runCrf(args, { cwd: folder, input: ROW });

        expect(exitCode).to.equal(2);
        expect(stdout).to.equal('');
        expect(stderr).to.match(/^No REDCap project is configured\. Set CAPTURE_API_URL .* --sandbox\.\n$/);
        expect(existsSync(join(folder, 'out.json.part'))).to.be.false;
      });

      it(`allow a change with --sandbox: crf ${args.join(' ')} --sandbox`, async () => {
        const { exitCode, stderr } = await runCrf([...args, '--sandbox'], { cwd: folder, input: ROW });

        expect(exitCode, stderr).to.equal(0);
        expect(stderr).to.match(/^This is the sandbox: "Cohort 2026 .* nothing is kept\.\n/);
      });
    }
  });

  it('are overridden by --sandbox', async () => {
    write('.env', 'F'.repeat(32));
    const [check, auth, version] = await Promise.all(
      [['check'], ['auth', 'check'], ['version']].map((args) =>
        runCrf([...args, '--sandbox'], { cwd: folder, environment: { APPWRITE_PROJECT_ID: 'x' } }),
      ),
    );

    expect([check, auth, version].map((run) => run?.exitCode)).to.deep.equal([0, 0, 0]);
  });
});
