import { expect } from 'chai';
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeServer, listen } from '../../support/start-service.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';

/** The start of an NDJSON export: one complete record, and one that may not be. */
const BEGUN =
  '{"record_id":"COHORT-2026-PARTICIPANT-0001"}\n{"record_id":"COHORT-2026-PARTICIPANT-0002"}\n{"reco';

describe('The files of crf export', function () {
  this.timeout(60_000);
  let folder: string;
  const file = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(file(name), 'utf8');
  const modeOf = (name: string): number => statSync(file(name)).mode & 0o777;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-export-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function crfExport(args: readonly string[], environment: Record<string, string> = {}): Promise<CrfRun> {
    const project = environment.CAPTURE_API_URL === undefined ? ['--sandbox'] : [];
    return runCrf(['export', ...project, '--fields', 'record_id', ...args], { cwd: folder, environment });
  }

  it('have the format that their name implies, and are private to their owner', async () => {
    const runs = await Promise.all(
      ['a.csv', 'a.NDJSON', 'a.jsonl', 'a.json', 'plain'].map((name) => crfExport(['-o', name])),
    );

    expect(
      runs.map(({ exitCode }) => exitCode),
      runs[0]?.stderr,
    ).to.deep.equal([0, 0, 0, 0, 0]);
    expect(read('a.csv')).to.match(/^record_id,/);
    expect(read('a.NDJSON')).to.match(/^\{"record_id"/);
    expect(read('a.jsonl')).to.equal(read('a.NDJSON'));
    expect(JSON.parse(read('a.json'))).to.deep.equal(JSON.parse(read('plain')));
    expect(['a.csv', 'a.json', 'plain'].map(modeOf)).to.deep.equal([0o600, 0o600, 0o600]);
  });

  it('stay unchanged without --force, and are replaced with it', async () => {
    writeFileSync(file('a.csv'), 'precious');

    const refused = await crfExport(['-o', 'a.csv']);
    expect(refused.exitCode).to.equal(2);
    expect(refused.stderr).to.equal('a.csv exists already. --force replaces it; nothing was written.\n');
    expect(read('a.csv')).to.equal('precious');

    const forced = await crfExport(['-o', 'a.csv', '--force']);
    expect(forced.exitCode, forced.stderr).to.equal(0);
    expect(read('a.csv')).to.match(/^record_id,/);
  });

  it('keep the partial file of an interrupted export until it is resumed', async () => {
    writeFileSync(file('a.ndjson.part'), BEGUN, { mode: 0o644 });

    const repeated = await crfExport(['-o', 'a.ndjson']);
    expect(repeated.exitCode).to.equal(2);
    expect(repeated.stderr)
      .to.include(`a.ndjson.part holds ${BEGUN.length} bytes of an export that was interrupted`)
      .and.to.include('--resume');
    expect(read('a.ndjson.part')).to.equal(BEGUN);

    const resumed = await crfExport(['-o', 'a.ndjson', '--resume']);
    expect(resumed.exitCode, resumed.stderr).to.equal(0);
    const rows = read('a.ndjson').trim().split('\n');
    const ids = rows.map((row) => (JSON.parse(row) as { record_id: string }).record_id);
    expect(new Set(ids).size).to.equal(250);
    expect(modeOf('a.ndjson')).to.equal(0o600);
    expect(existsSync(file('a.ndjson.part'))).to.be.false;
  });

  it('are not resumed with the options of another export', async () => {
    writeFileSync(file('a.ndjson.part'), BEGUN);

    const { exitCode, stderr } = await crfExport(['age', '-o', 'a.ndjson', '--resume']);

    expect(exitCode).to.equal(2);
    expect(stderr).to.match(
      /--resume needs the options of the interrupted export, whose rows have other columns\.\nNothing was written\. a\.ndjson\.part holds \d+ bytes, as before\.\n$/,
    );
    expect(read('a.ndjson.part')).to.equal(BEGUN);
  });

  it('are not resumed with a filter that leaves out some of their records', async () => {
    writeFileSync(file('a.ndjson.part'), BEGUN);

    const filter = ['--filter-logic', '[record_id] <> "COHORT-2026-PARTICIPANT-0001"'];
    const { exitCode, stderr } = await crfExport([...filter, '-o', 'a.ndjson', '--resume']);

    expect(exitCode).to.equal(2);
    expect(stderr).to.include('which has records that this one does not select');
    expect(read('a.ndjson.part')).to.equal(BEGUN);
  });

  it('discard a partial file only with --force, and only once the export has started', async () => {
    writeFileSync(file('a.csv.part'), BEGUN);
    const server = createServer((_request, response) => response.writeHead(500).end());
    const url = await listen(server);
    const environment = {
      CAPTURE_API_URL: `${url}/api/`,
      CAPTURE_API_TOKEN: 'A'.repeat(32),
      CAPTURE_RETRIES: '0',
    };
    const failed = await crfExport(['-o', 'a.csv', '--force'], environment);
    await closeServer(server);

    expect(failed.exitCode).to.equal(4);
    expect(failed.stderr).to.include(
      `Nothing was written. a.csv.part holds ${BEGUN.length} bytes, as before.`,
    );
    expect(read('a.csv.part')).to.equal(BEGUN);

    const forced = await crfExport(['-o', 'a.csv', '--force']);
    expect(forced.exitCode, forced.stderr).to.equal(0);
    expect(read('a.csv')).to.match(/^record_id,/);
  });

  it('can be resumed only for NDJSON, and never through a link', async () => {
    writeFileSync(file('other'), BEGUN);
    symlinkSync(file('other'), file('soft.ndjson.part'));
    linkSync(file('other'), file('hard.ndjson.part'));
    writeFileSync(file('wrong.ndjson.part'), 'record_id,age\nA,1\n');

    const runs = await Promise.all(
      ['soft.ndjson', 'hard.ndjson', 'wrong.ndjson'].map((name) => crfExport(['-o', name, '--resume'])),
    );

    expect(runs.map(({ exitCode }) => exitCode)).to.deep.equal([2, 2, 2]);
    expect(runs[0]?.stderr).to.include('is a link');
    expect(runs[2]?.stderr).to.include('--resume needs an NDJSON export to go on with');
    expect(read('other')).to.equal(BEGUN);
    expect(read('wrong.ndjson.part')).to.equal('record_id,age\nA,1\n');
  });

  it('are never written through a symbolic link', async () => {
    writeFileSync(file('other'), '');
    symlinkSync(file('other'), file('a.json.part'));

    const { exitCode, stderr } = await crfExport(['-o', 'a.json', '--force']);

    expect(exitCode, stderr).to.equal(0);
    expect(read('other')).to.equal('');
  });
});
