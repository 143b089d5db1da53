import { expect } from 'chai';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';

const STORED = [
  { id: '1', age: '40', weight: '1.50' },
  { id: '2', age: '41', weight: '70' },
  { id: '3', age: '42', weight: '71' },
];
const FILE = 'id,age,weight\n1,50,1.5\n2,51,\n3,52,72\n4,44,60\n';
const KEY = '4826d0e5a1b7c3f94826d0e5a1b7c3f94826d0e5a1b7c3f94826d0e5a1b7c3f9';

describe('crf undo', function () {
  this.timeout(60_000);
  let folder: string;
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let client: CrfClient;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crf-undo-'));
    writeFileSync(join(folder, 'visits.csv'), FILE);
    sandbox = await startTestSandbox({ ...classicStudy(), rows: STORED });
    client = createCrfClient({ url: sandbox.url, token: sandbox.token });
  });
  afterEach(async () => {
    client.close();
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  const crf = (args: readonly string[], environment = {}, input?: string): Promise<CrfRun> =>
    runCrf(args, {
      environment: {
        CAPTURE_API_URL: sandbox.url,
        CAPTURE_API_TOKEN: sandbox.token,
        RECORD_ID_MIN_LENGTH: '1',
        ...environment,
      },
      cwd: folder,
      ...(input !== undefined && { input }),
    });
  const stored = async (): Promise<string[]> =>
    (await client.exportRecords({ fields: ['id', 'age', 'weight'] })).map((row) =>
      Object.values(row).join(' '),
    );
  const undoFiles = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.undo'));
  const BEFORE = ['1 40 1.50', '2 41 70', '3 42 71'];

  it('has a file of its own for each import, also of standard input and at the same moment', async () => {
    const imports = ['1', '2', '3', '4'].map((id) =>
      crf(['import', '-', '--format', 'csv'], {}, `id,age\n${id},60\n`),
    );

    for (const { exitCode, stderr } of await Promise.all(imports)) expect(exitCode, stderr).to.equal(0);
    expect(undoFiles()).to.have.length(4);
    expect(await stored()).to.deep.equal(['1 60 1.50', '2 60 70', '3 60 71', '4 60 ']);
  });

  it('has no file of an import that REDCap refused, whether it was named or not', async () => {
    writeFileSync(join(folder, 'visits.csv'), 'id,age\n1,50\n2,old\n');

    for (const named of [[], ['--undo', 'kept.undo']]) {
      const { exitCode, stderr } = await crf(['import', 'visits.csv', '--keep-misfits', ...named]);
      expect(exitCode, stderr).to.equal(1);
      expect(stderr).to.include('Nothing was stored.');
    }

    expect(undoFiles()).to.deep.equal([]);
    expect(await stored()).to.deep.equal(BEFORE);
  });

  it('shows what an import changed, restores it, and deletes what the import created', async () => {
    const run = await crf(['import', 'visits.csv', '--overwrite-behavior', 'overwrite']);
    expect(run.exitCode, run.stderr).to.equal(0);
    const [file = ''] = undoFiles();
    expect(file).to.match(/^visits\.csv\.\d{8}-\d{6}-[0-9a-f]{8}\.undo$/);
    expect(run.stderr).to.include(`Undo with: crf undo visits.csv.`);
    expect(statSync(join(folder, file)).mode & 0o777).to.equal(0o600);
    expect(await stored()).to.deep.equal(['1 50 1.5', '2 51 ', '3 52 72', '4 44 60']);

    const shown = await crf(['undo', file, '--dry-run']);
    expect(shown.stdout).to.include('To undo: 5 values to restore, 1 record to delete.');
    expect(shown.stdout)
      .to.match(/^2 +weight +restore +70$/m)
      .and.to.match(/^4 +id +DELETE +4$/m);
    const unasked = await crf(['undo', file]);
    expect(unasked.exitCode).to.equal(2);
    expect(await stored()).to.have.length(4);

    const done = await crf(['undo', file, '--yes']);
    expect(done.exitCode, done.stderr).to.equal(0);
    expect(done.stderr).to.include('Restored 5 values, deleted 1 record.');
    // A number that was sent in another form equals the stored one, and is not restored.
    expect(await stored()).to.deep.equal(['1 40 1.5', ...BEFORE.slice(1)]);
    const again = await crf(['undo', file, '--yes', '--json']);
    expect(JSON.parse(again.stdout)).to.include({ restored: 0, deleted: 0, changed: 0 });
    const continued = await crf([
      'import',
      'visits.csv',
      '--overwrite-behavior',
      'overwrite',
      '--undo',
      file,
    ]);
    expect(continued.exitCode).to.equal(2);
    expect(continued.stderr).to.include('belongs to an import that was undone');
  });

  it('leaves and lists what somebody has changed since, and a record that has other values by now', async () => {
    await crf(['import', 'visits.csv', '--undo', 'kept.undo']);
    await client.importRecords(
      [
        { id: '2', age: '60' },
        { id: '4', sex: '1' },
      ],
      { check: false },
    );
    const { exitCode, stdout, stderr } = await crf(['undo', 'kept.undo', '--yes']);

    expect(exitCode, stderr).to.equal(5);
    expect(stdout)
      .to.match(/^2 +age +changed since +60 +41$/m)
      .and.to.match(/^4 +sex +changed since +1$/m);
    expect(await stored()).to.deep.equal(['1 40 1.5', '2 60 70', '3 42 71', '4 44 60']);
  });

  it('says what a locked form keeps, and restores the rest', async () => {
    await crf(['import', 'visits.csv', '--undo', 'kept.undo']);
    sandbox.project.records.lock('3', 'base');
    const { exitCode, stderr } = await crf(['undo', 'kept.undo', '--yes']);

    expect(exitCode).to.equal(5);
    expect(stderr).to.include('REDCap refused to change 2 values, such as those of a locked form.');
    expect(await stored()).to.deep.equal(['1 40 1.5', '2 41 70', '3 52 72']);
  });

  it('undoes an import that failed half-way, or goes on with it', async () => {
    const unlock = sandbox.project.records.lock('3', 'base');
    const args = ['import', 'visits.csv', '--batch-size', '1', '--undo', 'kept.undo'];
    const failed = await crf(args);
    expect(failed.exitCode).to.equal(1);
    expect(failed.stderr)
      .to.include('Undo it with:\n  crf undo kept.undo\n')
      .and.to.include('Go on with:\n  crf import visits.csv --batch-size 1 --undo kept.undo');
    unlock();
    const other = await crf([
      'import',
      'visits.csv',
      '--overwrite-behavior',
      'overwrite',
      '--undo',
      'kept.undo',
    ]);
    expect(other.exitCode).to.equal(2);
    expect(other.stderr).to.include('belongs to another import');

    const whole = await crf(args);
    expect(whole.exitCode, whole.stderr).to.equal(0);
    expect(await stored()).to.deep.equal(['1 50 1.5', '2 51 70', '3 52 72', '4 44 60']);
    expect((await crf(args)).stderr).to.include('belongs to an import that is complete');
    await crf(['undo', 'kept.undo', '--yes']);
    expect(await stored()).to.deep.equal(['1 40 1.5', ...BEFORE.slice(1)]);
  });

  it('goes on with standard input from a row, with an undo file of its own for the rest', async () => {
    const unlock = sandbox.project.records.lock('3', 'base');
    const args = ['import', '-', '--format', 'csv', '--batch-size', '1', '--undo', 'kept.undo'];
    const failed = await crf(args, {}, FILE);
    expect(failed.exitCode).to.equal(1);
    const [, advised = ''] = /Go on with:\n {2}crf (.*)$/m.exec(failed.stderr) ?? [];
    expect(failed.stderr).to.include('Undo it with:\n  crf undo kept.undo\n');
    expect(advised).to.match(/^import - --format csv --batch-size 1 --from-row \d$/);
    unlock();
    const rest = await crf(advised.split(' '), {}, FILE);

    expect(rest.exitCode, rest.stderr).to.equal(0);
    expect(await stored()).to.deep.equal(['1 50 1.5', '2 51 70', '3 52 72', '4 44 60']);
    expect(undoFiles()).to.have.length(2);
    const [later = ''] = undoFiles().filter((name) => name !== 'kept.undo');
    for (const name of [later, 'kept.undo']) await crf(['undo', name, '--yes']);
    expect(await stored()).to.deep.equal(['1 40 1.5', ...BEFORE.slice(1)]);
  });

  it('needs the key of an encrypted file, which has no value of a record', async () => {
    await crf(['import', 'visits.csv', '--undo', 'kept.undo'], { CRF_UNDO_KEY: KEY });
    expect(readFileSync(join(folder, 'kept.undo'), 'utf8')).to.not.match(/"(?:age|weight|41)"/);
    for (const environment of [{}, { CRF_UNDO_KEY: KEY.replace('4', '5') }]) {
      const refused = await crf(['undo', 'kept.undo', '--yes'], environment);
      expect(refused.exitCode).to.equal(2);
      expect(refused.stderr).to.include('CRF_UNDO_KEY is not its key');
    }
    const { exitCode, stderr } = await crf(['undo', 'kept.undo', '--yes'], { CRF_UNDO_KEY: KEY });
    expect(exitCode, stderr).to.equal(0);
    expect(await stored()).to.deep.equal(['1 40 1.5', ...BEFORE.slice(1)]);
  });

  it('refuses an encrypted file with another header, and with a key a file that is not encrypted', async () => {
    await crf(['import', 'visits.csv', '--undo', 'kept.undo'], { CRF_UNDO_KEY: KEY });
    const [header = '', ...lines] = readFileSync(join(folder, 'kept.undo'), 'utf8').split('\n');
    const changed = JSON.stringify({ ...(JSON.parse(header) as object), options: 'other' });
    writeFileSync(join(folder, 'other.undo'), [changed, ...lines].join('\n'));
    expect((await crf(['undo', 'other.undo', '--yes'], { CRF_UNDO_KEY: KEY })).stderr).to.include(
      'CRF_UNDO_KEY is not its key, or it was changed',
    );

    await crf(['import', 'visits.csv', '--undo', 'plain.undo', '--overwrite-behavior', 'overwrite']);
    const plain = await crf(['undo', 'plain.undo', '--yes'], { CRF_UNDO_KEY: KEY });
    expect(plain.exitCode).to.equal(2);
    expect(plain.stderr).to.include('plain.undo is not encrypted, although CRF_UNDO_KEY is set');
  });

  it('names the line of a file that is not as an import writes it, and never waits for an endless one', async () => {
    await crf(['import', 'visits.csv', '--undo', 'kept.undo']);
    const [header = '', ...lines] = readFileSync(join(folder, 'kept.undo'), 'utf8').split('\n');
    for (const line of [
      'null',
      '7',
      '{}',
      '{"step":{}}',
      '{"step":{"from":0,"to":1,"records":[{}]}}',
      '{"end":1}',
    ]) {
      writeFileSync(join(folder, 'changed.undo'), [header, line, ...lines].join('\n'));
      const { exitCode, stderr } = await crf(['undo', 'changed.undo', '--yes']);
      expect([exitCode, stderr]).to.deep.equal([
        2,
        'changed.undo was changed: its line 2 is not as crf import writes it.\n',
      ]);
    }
    for (const first of ['null', '{"crfUndo":1}', header.replace('"id":"', '"id":7,"x":"')]) {
      writeFileSync(join(folder, 'changed.undo'), [first, ...lines].join('\n'));
      expect((await crf(['undo', 'changed.undo'])).stderr).to.equal(
        'changed.undo is not an undo file of crf import.\n',
      );
    }
    expect((await crf(['undo', '/dev/zero'])).stderr).to.equal(
      '/dev/zero is not an undo file of crf import.\n',
    );
    expect(await stored()).to.deep.equal(['1 50 1.5', '2 51 70', '3 52 72', '4 44 60']);
  });

  it('is impossible for another file, and after --no-undo, a dry run or an import that changed nothing', async () => {
    expect((await crf(['undo', 'visits.csv'])).stderr).to.include('is not an undo file of crf import');
    await crf(['import', 'visits.csv', '--dry-run']);
    await crf(['import', 'visits.csv', '--no-undo']);
    await crf(['import', 'visits.csv']);
    expect(undoFiles()).to.deep.equal([]);
    const { exitCode, stderr } = await crf(['import', 'visits.csv', '--sandbox']);
    expect(exitCode, stderr).to.not.equal(2);
    expect(undoFiles()).to.deep.equal([]);
  });
});
