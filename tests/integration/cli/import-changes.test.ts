import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCrf } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy } from '../../support/studies.js';

const STORED = [
  { id: '001', age: '40', weight: '1.50' },
  { id: '002', age: '41', weight: '70' },
  { id: '003', age: '42', weight: '71' },
];

describe('crf import --diff', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let environment: Record<string, string>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crf-changes-'));
    file = join(folder, 'visits.csv');
    writeFileSync(file, 'id,age,weight\n001,40,1.5\n002,,71\n1,42,\n');
    sandbox = await startTestSandbox({ ...classicStudy(), rows: STORED });
    environment = {
      CAPTURE_API_URL: sandbox.url,
      CAPTURE_API_TOKEN: sandbox.token,
      RECORD_ID_MIN_LENGTH: '1',
    };
  });
  after(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  it('shows counts, warnings and each old and new value, and stores nothing', async () => {
    const { exitCode, stdout, stderr } = await runCrf(
      ['import', file, '--overwrite-behavior', 'overwrite', '--diff'],
      {
        environment,
      },
    );

    expect(exitCode, stderr).to.equal(0);
    expect(stdout).to.include('Records: 1 new, 1 changed, 1 unchanged.');
    expect(stdout).to.include('Values of existing records: 0 set, 1 changed.\nErased: 1 stored value.');
    expect(stdout).to.include('Probably the same record: 1 (line 4) and 001.');
    expect(stdout).to.include('Most records exist, and 1 would be created: --only existing refuses that.');
    expect(stdout)
      .to.match(/^3 +002 +age +ERASED +41$/m)
      .and.to.match(/^3 +002 +weight +changed +70 +71$/m);
    expect(stderr).to.include('Nothing was sent');
    const again = await runCrf(['import', file, '--overwrite-behavior', 'overwrite', '--diff'], {
      environment,
    });
    expect(again.stdout).to.equal(stdout);
  });

  it('writes every change to a file that only its owner can read, and prints the outcome as JSON', async () => {
    const changes = join(folder, 'changes.csv');
    const run = await runCrf(['import', file, '--diff', '--diff-csv', changes, '--json'], { environment });

    expect(run.exitCode, run.stderr).to.equal(0);
    expect(readFileSync(changes, 'utf8').split('\n')).to.deep.equal([
      'line,row,record,event,instance,column,change,old,new',
      '3,2,002,,,weight,changed,70,71',
      '4,3,1,,,id,new,,1',
      '',
    ]);
    expect(statSync(changes).mode & 0o777).to.equal(0o600);
    expect(JSON.parse(run.stdout).changes.values).to.deep.equal({ set: 0, changed: 1, erased: 0 });
  });

  it('refuses a file with new records with --only existing, and one with stored records with --only new', async () => {
    const existing = await runCrf(['import', file, '--only', 'existing'], { environment });
    const created = await runCrf(['import', file, '--only', 'new'], { environment });

    expect([existing.exitCode, created.exitCode]).to.deep.equal([1, 1]);
    expect(existing.stderr).to.include('must be a record that the project has').and.to.include('Nothing was');
    expect(created.stderr).to.include('must not be a record that the project has');
  });

  it('warns of rows that would begin another arm for a record, as --dry-run does, also with -q', async () => {
    const arms = await startTestSandbox(armsStudy());
    const moved = join(folder, 'moved.csv');
    writeFileSync(moved, 'id,redcap_event_name,name\n2,start_arm_2,Bo\n1,start_arm_2,Ada\n');
    const project = { ...environment, CAPTURE_API_URL: arms.url, CAPTURE_API_TOKEN: arms.token };
    const runs = [];
    for (const options of [['--dry-run'], ['--diff'], ['--dry-run', '-q'], ['--diff', '-q']])
      runs.push(await runCrf(['import', moved, ...options], { environment: project }));
    await arms.close();

    for (const { exitCode, stderr } of runs) {
      expect(exitCode, stderr).to.equal(0);
      expect(stderr).to.include('Warning: 1 record would begin another arm. REDCap would store this all');
      expect(stderr).to.include(
        '  line 3, 1, start_arm_2: redcap_event_name begins arm 2 for a record that is in arm 1 only',
      );
    }
  });

  it('warns of what a spreadsheet made of stored text, and of another arm, however the file is stored', async () => {
    const rows = [{ id: '1', redcap_event_name: 'start_arm_1', name: '0012345' }];
    const damaged = join(folder, 'damaged.csv');
    writeFileSync(damaged, 'id,redcap_event_name,name\n1,start_arm_1,12345\n1,start_arm_2,Ada\n');
    for (const options of [
      ['--dry-run'],
      ['--diff'],
      ['--diff', '--yes'],
      ['--undo', join(folder, 'd.undo')],
    ]) {
      const arms = await startTestSandbox({ ...armsStudy(), rows });
      const project = { ...environment, CAPTURE_API_URL: arms.url, CAPTURE_API_TOKEN: arms.token };
      const { exitCode, stderr } = await runCrf(['import', damaged, ...options, '-q'], {
        environment: project,
      });
      await arms.close();

      expect(exitCode, stderr).to.equal(0);
      expect(stderr).to.include('1 record would begin another arm, 1 number that a spreadsheet has probably');
      expect(stderr).to.include(
        '  line 2, 1, start_arm_1: name is the stored number written in another way: has a spreadsheet removed',
      );
    }
  });

  it('writes out the blanks that alone tell two values apart', async () => {
    const arms = await startTestSandbox(armsStudy());
    const blanks = join(folder, 'blanks.csv');
    writeFileSync(blanks, 'id,redcap_event_name,name\n1,start_arm_1," Ada"\n');
    const project = { ...environment, CAPTURE_API_URL: arms.url, CAPTURE_API_TOKEN: arms.token };
    const { stdout } = await runCrf(['import', blanks, '--diff'], { environment: project });
    await arms.close();

    expect(stdout).to.match(/^2 +1, start_arm_1 +name +changed +Ada +␣Ada$/m);
  });

  it('does not write two things to standard output', async () => {
    for (const args of [
      ['--diff', '--diff-csv', '-'],
      ['--json', '--report', '-'],
      ['--diff', '--report', '-'],
    ]) {
      const { exitCode, stderr } = await runCrf(['import', file, ...args], { environment });
      expect(exitCode, stderr).to.equal(2);
    }
  });
});
