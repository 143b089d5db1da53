import { expect } from 'chai';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy } from '../../support/studies.js';

const PLACE = ['1', 'consent', '--event', 'start_arm_1'];

describe('crf commands for files, reports, the log and surveys', function () {
  this.timeout(120_000);
  let sandbox: RedcapSandbox & { readonly token: string };
  let folder: string;

  before(async () => {
    sandbox = await startTestSandbox({
      ...armsStudy(),
      surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
      reports: [{ id: 7, title: 'Names', fields: ['name'], filterLogic: '' }],
    });
  });
  after(() => sandbox.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-files-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const crf = (...args: string[]): Promise<CrfRun> =>
    runCrf(args, {
      cwd: folder,
      environment: {
        CAPTURE_API_URL: sandbox.url,
        CAPTURE_API_TOKEN: sandbox.token,
        CAPTURE_TIME_ZONE: 'UTC',
      },
    });
  /** Stores a file in the sandbox under a name that none of our clients would send. */
  const plant = (name: string, bytes = 'planted'): void => {
    sandbox.project.documents.put(
      { record: '1', event: 'start_arm_1', instrument: '', instance: 0, field: 'consent' },
      { name, type: 'text/html', bytes: Buffer.from(bytes) },
    );
  };

  it('upload, download and delete a file with crf files', async () => {
    writeFileSync(join(folder, 'scan.pdf'), 'signed');
    expect(await crf('files', 'put', ...PLACE.slice(0, 2), 'scan.pdf', ...PLACE.slice(2))).to.include({
      exitCode: 0,
      stdout: '',
    });
    rmSync(join(folder, 'scan.pdf'));

    const got = await crf('files', 'get', ...PLACE);

    expect(got).to.include({ exitCode: 0, stderr: 'Wrote 6 bytes to scan.pdf\n' });
    expect(readFileSync(join(folder, 'scan.pdf'), 'utf8')).to.equal('signed');
    expect(statSync(join(folder, 'scan.pdf')).mode & 0o777).to.equal(0o600);
    expect((await crf('files', 'delete', ...PLACE)).exitCode).to.equal(2);
    expect((await crf('files', 'delete', ...PLACE, '--yes')).exitCode).to.equal(0);
    expect((await crf('files', 'get', ...PLACE)).stderr).to.match(/^No file is stored there/);
  });

  it('refuse to store an empty file with crf files put', async () => {
    writeFileSync(join(folder, 'scan.pdf'), '');

    const { exitCode, stderr } = await crf(
      'files',
      'put',
      ...PLACE.slice(0, 2),
      'scan.pdf',
      ...PLACE.slice(2),
    );

    expect(exitCode).to.equal(2);
    expect(stderr).to.include('file must not be empty');
    expect((await crf('files', 'get', ...PLACE)).stderr).to.match(/^No file is stored there/);
  });

  it('replace no file without --force in crf files get', async () => {
    plant('a.txt', 'new');
    writeFileSync(join(folder, 'a.txt'), 'old');

    expect((await crf('files', 'get', ...PLACE)).exitCode).to.equal(2);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).to.equal('old');

    expect((await crf('files', 'get', ...PLACE, '--force')).exitCode).to.equal(0);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).to.equal('new');
  });

  for (const [name, saved] of [
    ['../../escaped.txt', 'escaped.txt'],
    ['/etc/cron.d/evil', 'evil'],
    ['..\\..\\escaped.bat', 'escaped.bat'],
    ['.bashrc', 'bashrc'],
    ['..', 'consent'],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['nul.txt', '_nul.txt'],
    ['.', 'consent'],
  ] as const) {
    it(`FILE-03: write ${JSON.stringify(name)} as ${saved} in the current folder with crf files get`, async () => {
      plant(name);

      const { exitCode, stderr } = await crf('files', 'get', ...PLACE);

      expect([exitCode, stderr]).to.deep.equal([0, `Wrote 7 bytes to ${saved}\n`]);
      expect(readdirSync(folder)).to.deep.equal([saved]);
    });
  }

  it('list, upload, download and delete in the file repository with crf file-repository', async () => {
    const made = await crf('file-repository', 'create-folder', 'Ethics');
    const id = made.stdout.trim();
    writeFileSync(join(folder, 'p.txt'), 'protocol');
    const put = await crf('file-repository', 'put', 'p.txt', '--folder', id);

    const { stdout } = await crf('file-repository', 'list', '--folder', id, '--json');
    const [file] = JSON.parse(stdout) as { id: number; name: string }[];
    expect([file?.name, put.stdout]).to.deep.equal(['p.txt', `${file?.id}\n`]);
    expect((await crf('file-repository', 'info', String(file?.id))).stdout).to.equal(
      'Name:       p.txt\nMedia type: text/plain\nLength:     8 bytes\n',
    );
    expect((await crf('file-repository', 'list')).stdout).to.match(/^KIND +ID +NAME\nfolder +1 +Ethics\n/);
    expect((await crf('file-repository', 'get', String(file?.id), '--output', '-')).stdout).to.equal(
      'protocol',
    );

    expect((await crf('file-repository', 'delete', String(file?.id), '--yes')).exitCode).to.equal(0);
    expect((await crf('file-repository', 'list', '--folder', id, '--json')).stdout).to.equal('[]\n');
  });

  it('write a report in the requested format with crf reports get', async () => {
    const csv = await crf('reports', 'get', '7', '--format', 'csv');
    const json = await crf('reports', 'get', '7');

    expect(csv.stdout).to.match(/^id,redcap_event_name,\S*,name\n1,start_arm_1,,,Ada\n/);
    expect((JSON.parse(json.stdout) as unknown[])[0]).to.include({ id: '1', name: 'Ada' });
    expect((await crf('reports', 'get', '9')).exitCode).to.equal(1);
  });

  it('show the log without values with crf log', async () => {
    await crf('files', 'put', ...PLACE.slice(0, 2), '-', ...PLACE.slice(2), '--file-name', 'x.txt');

    const { stdout } = await crf('log', '--from', '1h', '--json');
    const entry = (JSON.parse(stdout) as { at: string; action: string }[]).find(
      ({ action }) => action === 'file_uploaded',
    );

    expect(entry).to.include({ user: 'data.manager', action: 'file_uploaded', record: '1' });
    expect(entry?.at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
    expect((await crf('log', '--limit', '1', '--csv')).stdout.trim().split('\n')).to.have.lengthOf(2);
  });

  it('names the options of a time that crf log cannot use', async () => {
    const reversed = await crf('log', '--from', '2026-02-01', '--until', '2026-01-31');

    expect(reversed).to.deep.include({
      exitCode: 2,
      stdout: '',
      stderr:
        '--from must not be later than --until.\nUsage: crf log [options]. crf log --help shows more.\n',
    });
    expect((await crf('log', '--from', 'yesterday')).stderr).to.match(/^--from must be a day/);
    const ofNoGroup = await crf('log', '--dag', 'nope');
    expect(ofNoGroup).to.deep.include({
      exitCode: 2,
      stdout: '',
      stderr: 'nope is not a data access group of this project.\n',
    });
    expect((await crf('log', '--until', 'tomorrow')).stderr).to.match(/^--until must be a day/);
  });

  it('print a link with crf surveys, and hide links in the table of participants', async () => {
    const { stdout } = await crf('surveys', 'link', '1', 'enrol', '--event', 'start_arm_1');
    const table = await crf('surveys', 'participants', 'enrol', '--event', 'start_arm_1');
    const csv = await crf('surveys', 'participants', 'enrol', '--event', 'start_arm_1', '--csv');

    expect(stdout).to.match(/^https:\/\/\S+\?s=\w+\n$/);
    expect(table.stdout)
      .to.match(/^EMAIL/)
      .and.to.not.include('https:');
    expect(csv.stdout).to.include(stdout.trim());
  });

  it('print the queue link and the codes of a record with crf surveys', async () => {
    const [queue, code, access] = await Promise.all([
      crf('surveys', 'queue-link', '1'),
      crf('surveys', 'return-code', '1', 'enrol', '--event', 'start_arm_1'),
      crf('surveys', 'access-code', '1', 'enrol', '--event', 'start_arm_1'),
    ]);

    expect(queue.stdout).to.match(/^https:\/\/\S+\?sq=\w+\n$/);
    expect(code.stdout).to.match(/^[A-Z0-9]{8}\n$/);
    expect(access.stdout).to.match(/^[A-Z0-9]{9}\n$/);
  });

  it('treat a hyphen as standard input or output, never as a file name', async () => {
    const environment = { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token };
    const pipe = (input: string, ...args: string[]) => runCrf(args, { cwd: folder, environment, input });
    const [stored, exported, typed] = await Promise.all([
      pipe('piped', 'file-repository', 'put', '-', '--file-name', 'piped.txt'),
      pipe('', 'export', '-o', '-', '--format', 'csv', '--fields', 'id,name'),
      pipe('', 'types', '--output=-'),
    ]);

    expect([stored.exitCode, exported.exitCode, typed.exitCode]).to.deep.equal([0, 0, 0]);
    expect(exported.stdout).to.include('\n1,start_arm_1,');
    expect(typed.stdout).to.include('Made by `crf types`');
    expect(readdirSync(folder)).to.deep.equal([]);
    const { repository, documents } = sandbox.project;
    const names = [...repository.places].map(([id, folder]) => folder === 0 && documents.get(id)?.name);
    expect(names).to.include('piped.txt');
  });

  it('refuse the names . and .. with crf files put and crf files put', async () => {
    const environment = { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token };
    const pipe = (...args: string[]) => runCrf(args, { cwd: folder, environment, input: 'x' });

    const refused = await Promise.all([
      pipe('files', 'put', ...PLACE.slice(0, 2), '-', ...PLACE.slice(2), '--file-name', '.'),
      pipe('file-repository', 'put', '-', '--file-name', '..'),
    ]);

    for (const { exitCode, stderr } of refused) {
      expect(exitCode).to.equal(2);
      expect(stderr).to.include('and not be . or ..');
    }
  });

  it('write complete documents with crf pdf and crf project xml', async () => {
    await crf('pdf', '1', '--instrument', 'enrol', '-o', 'one.pdf');
    const { stdout } = await crf('project', 'xml', '--metadata-only');

    expect(readFileSync(join(folder, 'one.pdf'), 'latin1')).to.match(/^%PDF-[\s\S]*Ada[\s\S]*%%EOF\n$/);
    expect(stdout)
      .to.match(/<ODM [\s\S]*<\/ODM>\s*$/)
      .and.to.not.include('<ClinicalData');
  });
});
