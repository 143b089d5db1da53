import { expect } from 'chai';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox, type RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { groupsStudy } from '../../support/groups-study.js';
import { runCrf } from '../../support/run-crf.js';
import { cellsOf } from '../../support/workbook-cells.js';
import { longitudinalStudy } from '../../support/studies.js';

/** The study with two groups, in which the weight of each record is no number. */
function studyWithFindings(): Study {
  const study = groupsStudy();
  return { ...study, rows: study.rows.map((row) => ('weight' in row ? { ...row, weight: 'heavy' } : row)) };
}

describe('crf incomplete and crf quality --by-dag', function () {
  this.timeout(60_000);

  let sandbox: RedcapSandbox;
  let folder: string;
  before(async () => {
    sandbox = await startRedcapSandbox({ study: studyWithFindings() });
    folder = await mkdtemp(join(tmpdir(), 'crf-dags-'));
  });
  after(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  const crf = (args: readonly string[], url = sandbox.url) =>
    runCrf(args, { cwd: folder, environment: { CAPTURE_API_URL: url, CAPTURE_API_TOKEN: DEMO_TOKEN } });

  it('write a workbook for each group, with labels and the page of each record', async () => {
    const { exitCode, stderr } = await crf(['incomplete', '--by-dag', 'todo']);
    expect(exitCode, stderr).to.equal(0);

    expect(await readdir(join(folder, 'todo'))).to.have.members(['north.xlsx', 'south.xlsx', 'no-dag.xlsx']);
    const [header, ...north] = cellsOf(join(folder, 'todo/north.xlsx'));
    expect(header).to.deep.equal(['Record', 'Event', 'Form', 'Instance', 'Status', 'Joined', 'Link']);
    expect(new Set(north.map(([record]) => record))).to.deep.equal(new Set(['N-1']));
    expect(north.map((row) => row[4])).to.include('incomplete');
    expect(north[0]?.[6]).to.equal(
      new URL('../redcap_v16.1.9/DataEntry/record_home.php?pid=1&arm=1&id=N-1', sandbox.url).href,
    );
    expect(north.map((row) => row[1])).to.not.include('start_arm_1');

    const csv = await crf(['incomplete', '--dag', 'north']);
    expect(csv.stdout.trim().split('\n')).to.have.length(north.length + 1);
    const json = await crf(['incomplete', '--dag', 'north', '--json']);
    const forms = JSON.parse(json.stdout) as object[];
    expect(forms).to.have.length(north.length);
    expect(Object.keys(forms[0] ?? {})).to.have.members(
      ['record', 'dag', 'joined', 'event', 'instrument', 'instance', 'status'], // ListedForm
    );
  });

  it('replace the workbooks of last week only with --force, all or none', async () => {
    const first = await crf(['quality', '--by-dag', 'queries']);
    expect(first.exitCode, first.stderr).to.equal(0);
    await rm(join(folder, 'queries/north.xlsx'));

    const again = await crf(['quality', '--by-dag', 'queries']);
    expect(again.exitCode).to.equal(2);
    expect(again.stderr).to.include('south.xlsx exists already');
    expect(await readdir(join(folder, 'queries'))).to.not.include('north.xlsx');

    expect((await crf(['quality', '--by-dag', 'queries', '--force'])).exitCode).to.equal(0);
    expect(await readdir(join(folder, 'queries'))).to.include('north.xlsx');
  });

  it('name field, label and rule of a finding, and tell each data access group only its own', async () => {
    const { stdout } = await crf(['quality', '--format', 'json']);
    const findings = JSON.parse(stdout) as { record: string; field: string; message: string }[];
    const own = findings.filter(({ record }) => record === 'N-1');
    await crf(['quality', '--by-dag', 'queries', '--force']);
    const [header, ...north] = cellsOf(join(folder, 'queries/north.xlsx'));

    expect(own.length).to.be.greaterThan(0);
    expect(header).to.deep.equal([
      ...['Record', 'Event', 'Form', 'Instance', 'Field', 'Label', 'Finding', 'Link'],
    ]);
    expect(north.map((row) => [row[0], row[4], row[6]])).to.deep.equal(
      own.map(({ record, field, message }) => [record, field, message]),
    );
  });

  it('tell with --from only what was entered since the day', async () => {
    const client = createCrfClient({ url: sandbox.url, token: DEMO_TOKEN });
    const visit = { redcap_event_name: 'visit_arm_1', redcap_repeat_instance: 1 };
    await client.importRecords([{ id: 'N-1', ...visit, visit_complete: '1' }]);
    const since = (day: string) =>
      crf(['quality', '--from', day, '--rules', 'invalid_value', '--format', 'json']);
    const yesterday = await since(new Date(Date.now() - 86_400_000).toISOString().slice(0, 10));
    const [later, never] = await Promise.all([since('2126-01-01'), since('2026-02-30')]);

    const found = JSON.parse(yesterday.stdout) as { record: string; field: string }[];
    expect(found.map(({ record, field }) => [record, field])).to.deep.equal([['N-1', 'weight']]);
    expect(JSON.parse(later.stdout)).to.deep.equal([]);
    expect([never.exitCode, never.stderr]).to.satisfy(
      ([code, words]: [number, string]) => code !== 0 && words.includes('must be a day'),
    );
  });

  it('say what to do in a project without groups', async () => {
    const other = await startRedcapSandbox({ study: { ...longitudinalStudy(), groups: [] } });
    try {
      const { exitCode, stderr } = await crf(['incomplete', '--by-dag', 'none'], other.url);

      expect(exitCode).to.equal(1);
      expect(stderr).to.include('leave out --by-dag, and use -o FILE');
    } finally {
      await other.close();
    }
  });
});
