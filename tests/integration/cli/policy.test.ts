import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { runCrf } from '../../support/run-crf.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { classicStudy } from '../../support/studies.js';

const POLICY = `version: 1
policies:
  monitor: { records: { group: $caller.group }, forms: { base: read }, fields: { hide: [born] } }
  adults: { records: { where: "[age] >= 30" }, forms: { base: write } }
bindings:
  - { key: paris, policy: monitor, group: paris }
  - { key: grown, policy: adults }
`;

describe('crf policy', () => {
  let started: SandboxClient;
  let folder: string;
  before(async () => {
    const study = classicStudy();
    started = await startSandboxClient({
      ...study,
      groups: [{ id: 1, name: 'Paris', uniqueName: 'paris' }],
      rows: study.rows.map((row) => (row.id === '2' ? row : { ...row, redcap_data_access_group: 'paris' })),
    });
  });
  after(() => started.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crf-policy-'));
    await writeFile(join(folder, 'policy.yaml'), POLICY);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const policy = (...args: string[]) =>
    runCrf(['policy', ...args], {
      cwd: folder,
      environment: {
        CAPTURE_API_URL: started.sandbox.url,
        CAPTURE_API_TOKEN: DEMO_TOKEN,
        POLICY_FILE: 'policy.yaml',
      },
    });

  it('accepts the fields that the policies grant, and only shows them with --dry-run', async () => {
    const dry = await policy('accept', '--dry-run');
    const accepted = await policy('accept');
    const again = await policy('accept');

    expect(dry.stdout)
      .to.equal(accepted.stdout)
      .and.include('+ monitor: base.age\n')
      .and.not.include('monitor: base.born');
    expect(again.stdout).to.equal('');
    expect(await readFile(join(folder, 'policy.lock'), 'utf8')).to.include('monitor:');
  });

  it('explains what a caller sees: fields, records and what decides about them', async () => {
    await policy('accept');
    const seen = await policy('explain', '--as', 'key:grown');
    const of = async (as: string, record: string): Promise<string> =>
      (await policy('explain', '--as', as, '--record', record)).stdout;

    expect(seen.stdout).to.include('Records: those of which a row satisfies [age] >= 30.');
    expect(seen.stdout).to.include('Decide about the records, and cannot be changed: age.');
    expect(await of('key:grown', 'A-1')).to.equal(
      'A-1: visible. It is a record of the view: those of which a row satisfies [age] >= 30.\n',
    );
    expect(await of('key:grown', '10')).to.match(/^10: hidden\. /);
    expect(await of('key:paris', '10')).to.match(/^10: visible\. .* the group paris/);
    expect(await of('key:paris', '2')).to.equal((await of('key:paris', 'none')).replace('none', '2'));
    expect((await policy('explain', '--as', 'key:paris', '--field', 'born')).stdout).to.equal(
      'born: hidden. policies.monitor.fields.hide names it.\n',
    );
    expect((await policy('explain', '--as', 'key:nobody')).exitCode).to.equal(1);
  });

  it('checks the file: what does not fit, groups that do not exist, bindings that never match', async () => {
    await policy('accept');
    expect((await policy('check')).stdout).to.equal('2 policies checked, all fit the project.\n');

    const text = POLICY.replace('group: paris }', 'group: pariss }').replace('[born]', '[bornn]');
    await writeFile(join(folder, 'policy.yaml'), `${text}  - { key: grown, policy: monitor }\n`);
    const wrong = await policy('check');

    expect(wrong.exitCode).to.equal(1);
    expect(wrong.stdout).to.include(
      'monitor: fields.hide.bornn is not a field of the project; did you mean born?',
    );
    expect(wrong.stdout).to.include('bindings[0].group is not a group of the project');
    expect(wrong.stdout).to.include('bindings[2] never matches');
  });
});
