import { expect } from 'chai';
import { parquetReadObjects } from 'hyparquet';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, longitudinalStudy } from '../../support/studies.js';

describe('crf sync into a folder', function () {
  this.timeout(120_000);
  let folder: string;
  let sandbox: RedcapSandbox & { readonly token: string };
  let client: CrfClient;

  async function begin(study: Study): Promise<void> {
    sandbox = await startTestSandbox(study);
    client = createCrfClient({ url: sandbox.url, token: sandbox.token });
  }

  const sync = (target: string, args: readonly string[] = []): Promise<CrfRun> =>
    runCrf(['sync', '--to', target, ...args], {
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token },
    });

  const text = (name: string): string => readFileSync(join(folder, name), 'utf8');

  async function parquet(name: string): Promise<Record<string, unknown>[]> {
    const { buffer, byteOffset, byteLength } = readFileSync(join(folder, name));
    return parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) });
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-sync-'));
  });

  afterEach(async () => {
    client.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('writes a CSV file for each instrument, in the order of its key, and says so in a manifest', async () => {
    await begin(armsStudy());
    const { exitCode, stderr } = await sync(`csv:${folder}`, ['--verify']);
    expect(exitCode, stderr).to.equal(0);
    expect(stderr).to.include('equals a fresh export');
    expect(text('meds.csv')).to.equal(
      'id,redcap_event_name,redcap_repeat_instance,drug,drug__missing,meds_complete\n1,start_arm_1,1,x,,0\n',
    );
    expect(text('enrol.csv')).to.include('\n2,start_arm_2,,UNK,,,0,,,,,-9,0,0,0,0,,,,,0\n');
    const { files } = JSON.parse(text('manifest.json')) as { files: Record<string, { rows: number }> };
    expect(files['visit.csv']?.rows).to.equal(2);
    expect(Object.keys(files)).to.have.members(readdirSync(folder).filter((name) => name.endsWith('.csv')));
    expect(statSync(join(folder, 'enrol.csv')).mode & 0o077).to.equal(0);
  });

  it('writes the types of the dictionary into Parquet files', async () => {
    await begin(armsStudy());
    expect((await sync(`parquet:${folder}`)).exitCode).to.equal(0);
    const [first = {}] = await parquet('enrol.parquet');
    expect(first).to.include({ id: '1', alive: true, smoker: false, mood: 'g', pain: 40n, marks___aa: true });
    expect((await parquet('visit.parquet')).map(({ redcap_repeat_instance, weight }) => [redcap_repeat_instance, weight])) // prettier-ignore
      .to.deep.equal([[1n, 70], [2n, 71.5]]); // prettier-ignore
    const columns = await parquet('_codebook.parquet');
    expect(columns.find(({ column_name }) => column_name === 'weight')).to.include({
      field: 'weight',
      instrument: 'visit',
      type: 'REAL',
      label: 'Weight',
      section: null,
      validation: 'number_1dp',
    });
    const [{ position, ...event } = {}] = await parquet('_events.parquet');
    expect([position, event]).to.deep.equal([1n, { redcap_event_name: 'start_arm_1', label: 'Start', arm_number: 1n }]); // prettier-ignore
  });

  it('rewrites only the files whose tables have changed, and none if nothing has', async () => {
    await begin(longitudinalStudy());
    await sync(`csv:${folder}`);
    const written = (): Record<string, number> =>
      Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]));
    const first = written();
    await sync(`csv:${folder}`);
    const second = written();
    expect({ ...second, '_copy.db': 0 }).to.deep.equal({ ...first, '_copy.db': 0 });
    await client.importRecords([{ id: 'A-1', redcap_event_name: 'end_arm_1', pulse: '93' }], {
      check: false,
    });
    await sync(`csv:${folder}`);
    const third = written();
    const changed = Object.keys(third).filter((name) => third[name] !== second[name]);
    expect(changed).to.have.members([
      'visit.csv',
      '_changes.csv',
      '_records.csv',
      '_copy.db',
      'manifest.json',
    ]);
    expect(text('visit.csv')).to.include(',93,');
  });

  it('writes nothing through a link that has the name of a file that it makes', async () => {
    await begin(longitudinalStudy());
    const victim = `${folder}.victim`;
    writeFileSync(victim, 'mine');
    for (const name of [
      '_copy.db.part',
      '_copy.db.part-wal',
      '_copy.db.part.new',
      'base.csv.part',
      'manifest.json.part',
      'read.R.part',
    ])
      // prettier-ignore
      symlinkSync(victim, join(folder, name));
    for (const args of [[], ['--sweep', '--verify']]) {
      const { exitCode, stderr } = await sync(`csv:${folder}`, args);
      expect(exitCode, stderr).to.equal(0);
    }
    expect(readFileSync(victim, 'utf8')).to.equal('mine');
    rmSync(victim);
  });

  it('refuses a folder of somebody else, and one that holds another format', async () => {
    await begin(longitudinalStudy());
    writeFileSync(join(folder, 'thesis.docx'), '');
    const refused = await sync(`csv:${folder}`);
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr).to.include('has files that are not of crf sync');
    rmSync(join(folder, 'thesis.docx'));
    await sync(`csv:${folder}`);
    const other = await sync(`parquet:${folder}`);
    expect(other.exitCode).to.equal(1);
    expect(other.stderr).to.include('holds a copy as csv');
  });

  it('removes nothing outside its folder, and refuses a manifest of somebody else', async () => {
    await begin(longitudinalStudy());
    await sync(`csv:${folder}`);
    const whole = text('manifest.json');
    const outside = `${folder}.victim`;
    writeFileSync(outside, 'mine');
    const file = { rows: 1, bytes: 4, version: '1' };
    const { files, ...rest } = JSON.parse(whole) as { files: object };
    for (const manifest of [
      JSON.stringify({ ...rest, files: { ...files, [`../${basename(outside)}`]: file } }),
      ...['null', '7', '{}', '{"files":7}', 'x', ''],
    ]) {
      writeFileSync(join(folder, 'manifest.json'), manifest);
      const { exitCode, stderr } = await sync(`csv:${folder}`);
      expect([exitCode, stderr.trimEnd().split('\n').at(-1)]).to.deep.equal([
        1,
        'The manifest.json of the folder is not as crf sync writes it. Delete it, and every file is written again.',
      ]);
    }
    expect(readFileSync(outside, 'utf8')).to.equal('mine');
    rmSync(outside);
    rmSync(join(folder, 'manifest.json'));
    expect((await sync(`csv:${folder}`)).exitCode).to.equal(0);
    expect(Object.keys((JSON.parse(text('manifest.json')) as { files: object }).files)).to.deep.equal(
      Object.keys(files),
    );
  });
});
