import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeServer, listen } from '../../support/start-service.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { createAuthService } from '../../../src/index.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { runCrf, spawnCrf } from '../../support/run-crf.js';

describe('crf', function () {
  this.timeout(60_000);
  let folder: string;
  const file = (name: string): string => join(folder, name);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-cli-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('refuses an unknown flag with exit code 2 and two lines on stderr', async () => {
    const { exitCode, stdout, stderr } = await runCrf(['check', '--jsno']);

    expect(exitCode).to.equal(2);
    expect(stdout).to.equal('');
    expect(stderr).to.equal(
      'Unknown argument: jsno. Did you mean --json?\nUsage: crf check [options]. crf check --help shows more.\n',
    );
  });

  it('prints the version, the project and a user', async () => {
    const [version, info, user, nobody] = await Promise.all([
      runCrf(['version']),
      runCrf(['info', '--json']),
      runCrf(['people', 'ADA.lovelace@example.org']),
      runCrf(['people', 'nobody@example.org', '--json']),
    ]);

    expect(version.stdout).to.equal('16.1.9\n');
    expect(JSON.parse(info.stdout)).to.include({ title: 'Cohort 2026 (synthetic)', isLongitudinal: false });
    expect(user.stdout).to.equal('ada.lovelace\n');
    expect(nobody).to.include({ exitCode: 1, stdout: '' });
    expect(nobody.stderr).to.not.include('nobody@example.org');
  });

  it('explains that a file cannot be read, that a list is empty, and that an export wrote nothing', async () => {
    const [missing, arms, misspelt] = await Promise.all([
      runCrf(['import', file('none.csv'), '--sandbox']),
      runCrf(['arms', '--sandbox']),
      runCrf(['export', '--fields', 'agee']),
    ]);

    expect(missing).to.include({ exitCode: 2 });
    expect(missing.stderr).to.match(/file must name a file that exists\.\nNothing was stored\.\n$/);
    expect(arms).to.include({ exitCode: 0, stdout: '' });
    expect(arms.stderr).to.match(/The list is empty\.\n$/);
    expect(misspelt).to.include({ exitCode: 2, stdout: '' });
    expect(misspelt.stderr).to.match(/did you mean age\?\nNothing was written\.\n$/);
  });

  it('creates a key whose SHA-256 is in the entry for API_KEYS', async () => {
    const { stdout, stderr } = await runCrf([
      'key',
      'create',
      '--name',
      'portal',
      '--scope',
      'project:read',
      'users:read',
      '--expires',
      '2027-01-31',
    ]);
    const key = stdout.trim();

    expect(key).to.match(/^crf_[A-Za-z0-9_-]{43}$/);
    const sha256 = createHash('sha256').update(key).digest('hex');
    expect(stderr).to.include(`portal:${sha256}:project:read+users:read:2027-01-31`);
    expect(stderr).to.not.include(key);
  });

  it("creates a key in the form of a token of REDCap, with both entries, for clients of REDCap's API", async () => {
    const scopes = ['--scope', 'project:read', 'records:read'];
    const { stdout, stderr } = await runCrf(['key', 'create', '--redcap', '--name', 'stats', ...scopes]);
    const key = stdout.trim();

    expect(key).to.match(/^[0-9A-F]{32}$/);
    const sha256 = createHash('sha256').update(key).digest('hex');
    expect(stderr).to.include(`\nstats:${sha256}:project:read+records:read\n`);
    expect(stderr).to.include(`"sha256":"${sha256}","projects":["NAME"]`).and.not.include(key);
  });

  it('exports to a file that appears only when complete', async () => {
    const { exitCode, stdout, stderr } = await runCrf([
      'export',
      '--sandbox',
      '--format',
      'csv',
      '--fields',
      'record_id,age',
      '-o',
      file('a.csv'),
      '--batch-size',
      '100',
    ]);

    expect(exitCode).to.equal(0);
    expect(stdout).to.equal('');
    expect(stderr).to.match(/Exported 250 rows to .*a\.csv/);
    expect(readFileSync(file('a.csv'), 'utf8').split('\n')).to.have.length(252);
    expect(existsSync(file('a.csv.part'))).to.be.false;
  });

  it('ends the last line of an export on a terminal, and leaves other output as REDCap sent it', async () => {
    const args = ['export', '--sandbox', '--fields', 'record_id', '--limit', '1'];

    const [shown, piped] = await Promise.all([runCrf(args, { isTerminal: true }), runCrf(args)]);

    expect(piped.stdout).to.match(/\]$/);
    expect(shown.stdout).to.equal(`${piped.stdout}\n`);
  });

  it('exports CSV for spreadsheets on request, but no other format', async () => {
    const args = ['export', '--spreadsheet-safe', '--fields', 'record_id'];
    const csv = await runCrf([...args, '--format', 'csv']);
    const json = await runCrf(args);

    expect([csv.exitCode, json.exitCode]).to.deep.equal([0, 2]);
    expect(csv.stdout).to.match(/^record_id,/);
    expect(json.stderr).to.include('--spreadsheet-safe needs --format csv');
  });

  it('resumes an interrupted export, ending with the same file as an uninterrupted one', async () => {
    const args = ['export', '--sandbox', '--format', 'ndjson', '--fields', 'record_id', 'age', '-o'];
    await runCrf([...args, file('whole.ndjson')]);
    const whole = readFileSync(file('whole.ndjson'), 'utf8');
    writeFileSync(file('cut.ndjson.part'), whole.slice(0, Math.floor(whole.length / 3)));

    const { exitCode } = await runCrf([...args, file('cut.ndjson'), '--resume']);

    expect(exitCode).to.equal(0);
    expect(readFileSync(file('cut.ndjson'), 'utf8')).to.equal(whole);
  });

  it('checks an import without sending it, sends it, and refuses an invalid one', async () => {
    const sandbox = await startTestSandbox();
    const environment = { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token };
    writeFileSync(
      file('in.csv'),
      'record_id,age\nCOHORT-2026-PARTICIPANT-9001,41\nCOHORT-2026-PARTICIPANT-9002,42\n',
    );

    const dry = await runCrf(['import', file('in.csv'), '--dry-run'], { environment });
    expect(dry.stderr).to.include('Valid: 2 records');
    expect(sandbox.project.records.get('COHORT-2026-PARTICIPANT-9001')).to.be.undefined;

    const sent = await runCrf(['import', '-', '--format', 'ndjson'], {
      environment,
      cwd: folder,
      input: '{"record_id":"COHORT-2026-PARTICIPANT-9001","age":"41"}\n',
    });
    expect(sent.stderr).to.include('Stored 1 record');
    expect(sandbox.project.records.get('COHORT-2026-PARTICIPANT-9001')).to.not.be.undefined;

    const bad = await runCrf(['import', '-', '--format', 'csv'], {
      environment,
      cwd: folder,
      input: 'record_id,age\nshort,SENTINEL\n',
    });
    expect(bad.exitCode).to.equal(1);
    expect(bad.stderr)
      .to.include('othing was stored')
      .and.to.include('age must be a whole number')
      .and.to.not.include('SENTINEL');
    await sandbox.close();
  });

  it('exits 130 when interrupted, and states what was written', async () => {
    const server = createServer(() => undefined); // A server that accepts the call and never answers.
    const url = await listen(server);
    const started = new Promise<void>((resolve) => server.once('request', () => resolve()));
    const run = spawnCrf(['export', '-o', file('never.json')], {
      environment: { CAPTURE_API_URL: `${url}/api/`, CAPTURE_API_TOKEN: 'A'.repeat(32) },
      onStart: (kill) => {
        void started.then(() => kill('SIGINT'));
      },
    });
    const { exitCode, stderr } = await run.finally(() => closeServer(server));

    expect(exitCode).to.equal(130);
    expect(stderr).to.include('Nothing was written.');
  });

  it('runs a trial as a sandbox, and names a policy to try with it', async () => {
    const run = await runCrf(['sandbox', '--study', 'longitudinal'], {
      onOutput: (text, interrupt) => {
        if (text.includes('SANDBOX')) interrupt();
      },
    });
    const [, path = ''] = /POLICY_FILE=(\S+)/.exec(run.stderr) ?? [];

    expect(readPolicyFile(readFileSync(path, 'utf8')).bindings).to.have.length(3);
  });

  it("runs a sandbox with the user's files, and prints how to reach it", async () => {
    writeFileSync(
      file('d.csv'),
      'field_name,form_name,field_type,field_label\nid,base,text,Id\nage,base,text,Age\n',
    );
    writeFileSync(file('r.csv'), 'id,age,base_complete\nP-1,40,2\nP-2,41,2\n');
    let answer = '';
    const run = await runCrf(['sandbox', '--dictionary', file('d.csv'), '--records', file('r.csv')], {
      onOutput: (text, interrupt) => {
        const [, url] = /CAPTURE_API_URL=(\S+)/.exec(text) ?? [];
        const [, token = ''] = /CAPTURE_API_TOKEN=(\S+)/.exec(text) ?? [];
        if (url === undefined) return;
        void fetch(url, {
          method: 'POST',
          body: new URLSearchParams({ token, content: 'record', format: 'csv' }),
        })
          .then((response) => response.text())
          .then((body) => {
            answer = body;
            interrupt();
          });
      },
    });

    expect(answer).to.equal('id,age,base_complete\nP-1,40,2\nP-2,41,2\n');
    expect(run.stderr).to.include('2 records');
  });

  it('runs an Appwrite with which the printed settings sign people in', async () => {
    let said = '';
    let isAsked = false;
    const { exitCode } = await runCrf(['sandbox', '--appwrite'], {
      environment: { PORT: '8080' },
      onOutput: (text, interrupt) => {
        said += text;
        const set = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(said)?.[1] ?? '';
        if (said.includes('Mail to ')) return interrupt();
        if (isAsked || set('ALLOWED_DOMAINS_REGEXP') === '') return;
        isAsked = true;
        const auth = createAuthService({
          appwrite: {
            endpoint: set('APPWRITE_ENDPOINT'),
            projectId: set('APPWRITE_PROJECT_ID'),
            apiKey: set('APPWRITE_API_KEY'),
          },
          loginUrl: set('LOGIN_URL'),
          domainValidation: { allowedDomainsRegexp: set('ALLOWED_DOMAINS_REGEXP') },
        });
        auth.signupWithEmail('ada@example.org').catch(() => interrupt());
      },
    });

    expect(said).to.match(
      /Mail to ada@example\.org, with the words [\w ]+: http:\/\/127\.0\.0\.1:8080\/login\?\S+secret=/,
    );
    expect(exitCode).to.not.equal(null);
  });

  it('refuses to play a REDCap and an Appwrite at once', async () => {
    const runs = await Promise.all(
      [
        ['--study', 'classic'],
        ['--records', 'r.csv', '--dictionary', 'd.csv'],
        ['--redcap-version', '14.5'],
      ].map((options) => runCrf(['sandbox', '--appwrite', ...options])),
    );

    expect(runs.map(({ exitCode }) => exitCode)).to.deep.equal([2, 2, 2]);
    for (const { stderr } of runs) expect(stderr).to.match(/--appwrite runs no REDCap: leave out --\w+/);
  });

  it('serves, and shuts down gracefully on SIGTERM', async () => {
    let health = 0;
    const { exitCode, stdout, stderr } = await spawnCrf(['serve'], {
      environment: { PORT: '0', LOG_FORMAT: 'json' },
      onOutput: (text, kill) => {
        const [, url] = /listens on (\S+)/.exec(text) ?? [];
        if (url === undefined) return;
        void fetch(`${url}/health`).then((response) => {
          health = response.status;
          kill('SIGTERM');
        });
      },
    });

    expect(health).to.equal(200);
    expect(exitCode).to.equal(0);
    expect(stderr).to.include('SANDBOX');
    expect(stdout.split('\n').filter((line) => line.includes('"msg":"request"'))).to.have.length(1);
  });

  it('OPS-05: does not serve with an invalid configuration', async () => {
    const { exitCode, stderr } = await spawnCrf(['serve'], {
      environment: { HOST: '0.0.0.0', CAPTURE_API_TOKEN: 'SENTINEL' },
    });

    expect(exitCode).to.equal(2);
    expect(stderr).to.include('HOST').and.to.include('CAPTURE_API_URL').and.to.not.include('SENTINEL');
  });
});
