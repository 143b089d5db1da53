import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox, type RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { runCrf, type CrfOptions } from '../../support/run-crf.js';
import { longitudinalStudy, randomizedStudy } from '../../support/studies.js';

const SUPER_TOKEN = 'A1'.repeat(32);

describe('crf commands for the design, people and records of a project', function () {
  this.timeout(60_000);

  let sandbox: RedcapSandbox;
  beforeEach(async () => {
    sandbox = await startRedcapSandbox({ study: longitudinalStudy(), superToken: SUPER_TOKEN });
  });
  afterEach(() => sandbox.close());

  const crf = (args: readonly string[], options: CrfOptions = {}, token = DEMO_TOKEN) =>
    runCrf(args, {
      ...options,
      environment: {
        CAPTURE_API_URL: sandbox.url,
        CAPTURE_API_TOKEN: token,
        RECORD_ID_MIN_LENGTH: '1',
        ...options.environment,
      },
    });
  const ids = () => [...sandbox.project.records.ids];

  it('import the lists that they print', async () => {
    const lists = ['events', 'mappings', 'users'];
    // The other lists work the same way, and each takes two processes.
    const printed = await Promise.all(lists.map((list) => crf([list, '--json'])));

    for (const [at, list] of lists.entries()) {
      const input = printed[at]?.stdout ?? '';
      const { exitCode, stdout, stderr } = await crf([list, 'put', '-', ...yesFor(list)], { input });
      expect({ list, exitCode, stderr }).to.deep.equal({ list, exitCode: 0, stderr: '' });
      expect(Number(stdout), list).to.equal((JSON.parse(input) as unknown[]).length);
    }
  });

  it('create, show and delete a group and a role', async () => {
    const dags = await crf(['dags', 'put', '-'], { input: '[{"name":"North"}]' });
    const roles = await crf(['roles', 'put', '-'], {
      input: '[{"label":"Monitor","rights":{"api_export":1}}]',
    });
    expect([dags.stdout, roles.stdout]).to.deep.equal(['1\n', '1\n']);

    expect((await crf(['dags', '--csv'])).stdout).to.equal('uniqueName,name,id\nnorth,North,1\n');
    expect((await crf(['dags', 'delete', 'north', '--yes'])).stdout).to.equal('1\n');
  });

  it('name what is wrong with a file without its values', async () => {
    const { exitCode, stderr } = await crf(['users', 'put', '-'], { input: '[{"secret":"SENTINEL"}]' });

    expect(exitCode).to.equal(2);
    expect(stderr).to.include('[0].username is needed').and.to.not.include('SENTINEL');
  });

  for (const input of ['[]', '', '{}']) {
    it(`send nothing of ${JSON.stringify(input)}, which could mean deleting everything`, async () => {
      const { exitCode } = await crf(['mappings', 'put', '-', '--yes'], { input });

      expect(exitCode).to.equal(2);
      expect(sandbox.project.study.mappings).to.not.be.empty;
    });
  }

  it('delete the groups that exist, name those that do not, and end with 1', async () => {
    await crf(['dags', 'put', '-'], { input: '[{"name":"North"}]' });
    const { exitCode, stdout, stderr } = await crf(['dags', 'delete', 'nope', 'north', '--yes']);

    expect([exitCode, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.include('nope is not a data access group of this project.');
    expect((await crf(['dags', '--json'])).stdout.trim()).to.equal('[]');
  });

  it('delete records only after a confirmation', async () => {
    const refused = await crf(['records', 'delete', 'A-1']);
    expect(refused.exitCode).to.equal(2);
    expect(refused.stderr).to.include('Delete everything of 1 record: "A-1"').and.to.include('--yes');
    expect(ids()).to.deep.equal(['A-1']);

    const agreed = await crf(['records', 'delete', 'A-1', '--yes']);
    expect(agreed).to.deep.equal({ exitCode: 0, stdout: '1\n', stderr: '' });
    expect(ids()).to.deep.equal([]);
  });

  it('delete the data of a single event', async () => {
    await crf(['records', 'delete', 'A-1', '--event', 'end_arm_1', '--yes']);

    const { stdout } = await crf(['export', '--fields', 'id', '--format', 'csv', '--events', 'end_arm_1']);
    expect(stdout).to.not.include('end_arm_1');
    expect(ids()).to.deep.equal(['A-1']);
  });

  it('rename a record to an id with a comma, and find it', async () => {
    expect((await crf(['records', 'rename', 'A-1', 'B, 2', '--yes'])).stdout).to.equal('B, 2\n');

    const { stdout } = await crf(['export', '--records', 'B, 2', '--fields', 'id', '--format', 'csv']);
    expect(stdout).to.include('"B, 2"');
    expect((await crf(['records', 'rename', 'A-1', 'C', '--yes'])).stderr).to.include(
      'No record of this project',
    );
  });

  it('import the dictionary that they export, and show what a file would change', async () => {
    const { stdout: csv } = await crf(['fields', '--csv']);
    expect((await crf(['fields', 'put', '-', '--yes'], { input: csv })).stdout).to.match(/^\d+\n$/);

    const shorter = csv
      .split('\n')
      .filter((line) => !line.startsWith('drug,'))
      .join('\n');
    const refused = await crf(['fields', 'put', '-', '--yes'], { input: shorter });
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr)
      .to.include('drug: removed: 2 values in 1 record')
      .and.to.include('--allow-orphans')
      .and.to.not.include('drug x');
    expect(sandbox.project.study.fields.map(({ name }) => name)).to.include('drug');

    const allowed = await crf(['fields', 'put', '-', '--yes', '--allow-orphans'], { input: shorter });
    expect(allowed.exitCode).to.equal(0);
    expect(sandbox.project.study.fields.map(({ name }) => name)).to.not.include('drug');
  });

  it('compare a backup with the project, and say what a removal would orphan', async () => {
    const folder = join(tmpdir(), `crf-diff-${randomUUID()}`);
    try {
      expect((await crf(['backup', folder])).exitCode).to.equal(0);
      expect((await crf(['project', 'diff', folder])).stderr).to.equal('The designs are the same.\n');
      const mappings = JSON.parse((await crf(['mappings', '--json'])).stdout) as {
        event: string;
      }[];
      const input = JSON.stringify([
        ...mappings.filter(({ event }) => event !== 'end_arm_1'),
        { arm: 1, event: 'end_arm_1', instrument: 'base' },
      ]);
      await crf(['mappings', 'put', '-', '--yes'], { input });
      await crf(['dags', 'put', '-'], { input: '[{"name":"North"}]' });

      const { stdout } = await crf(['project', 'diff', folder]);
      expect(stdout.split('\n')).to.deep.equal([
        'instrument base at end_arm_1: added',
        'instrument visit at end_arm_1: removed: 1 value in 1 record',
        'data access group North: added',
        '',
      ]);
      const json = await crf(['project', 'diff', 'project', folder, '--json']);
      expect(JSON.parse(json.stdout)).to.deep.include({
        change: 'instrument visit at end_arm_1: added',
        values: 0,
        records: 0,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('tell with --json what a backup, its verification, a restore and a change of group came to', async () => {
    const folder = join(tmpdir(), `crf-json-${randomUUID()}`);
    const json = async (args: readonly string[], token = DEMO_TOKEN): Promise<unknown> =>
      JSON.parse((await crf([...args, '--json'], {}, token)).stdout);
    try {
      expect(await json(['backup', folder]))
        .to.include({ kept: 0 })
        .and.include.keys('at', 'leftOut');
      expect(await json(['backup', 'verify', folder])).to.deep.include({ broken: [] });
      const copied = ['project', 'create', 'Copy', '--xml', join(folder, 'project.xml'), '--yes'];
      const { token } = (await json(copied, SUPER_TOKEN)) as { token: string };
      expect(await json(['restore', folder, '--yes'], token)).to.deep.include({ count: 0, differences: [] });

      await rm(join(folder, 'arms.json'));
      expect(await json(['backup', 'verify', folder])).to.deep.include({ broken: ['arms.json'] });
      expect(await json(['dags', 'switch', '--yes'])).to.deep.equal({ dag: '' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('list the forms that are not complete or not begun', async () => {
    const { exitCode, stdout } = await crf(['incomplete', '--instrument', 'visit']);

    expect(exitCode).to.equal(0);
    const lines = stdout.split('\n').slice(0, 3);
    expect(lines.map((line) => line.slice(0, line.lastIndexOf(',')))).to.deep.equal([
      'record,dag,event,instrument,instance,status,joined',
      'A-1,,start_arm_1,visit,,incomplete,',
      'A-1,,end_arm_1,visit,,incomplete,',
    ]);
    expect(lines[1]).to.include('/DataEntry/record_home.php?pid=');
    expect((await crf(['incomplete', '--instrument', 'nix'])).stderr).to.match(
      /^nix is not an instrument of this project/,
    );
  });

  it('GW-07: list the visits that are overdue in a data access group', async () => {
    const environment = { SANDBOX_STUDY: 'longitudinal' };
    const { exitCode, stdout } = await runCrf(['due', '--state', 'overdue', '--dag', 'krakow'], {
      environment,
    });
    const [header, ...rows] = stdout.trim().split('\n');

    expect(exitCode).to.equal(0);
    expect(header).to.equal('record,dag,event,state,day,opens,closes,instruments');
    expect(rows).to.have.length.above(0);
    for (const row of rows) expect(row).to.match(/^TRIAL-2026-PARTICIPANT-\d+,krakow,\w+,overdue,202[56]-/);
  });

  it('GW-07: list them as JSON, with the properties that they have over REST', async () => {
    const environment = { SANDBOX_STUDY: 'longitudinal' };
    const [csv, json] = await Promise.all([
      runCrf(['due', '--dag', 'krakow'], { environment }),
      runCrf(['due', '--dag', 'krakow', '--json'], { environment }),
    ]);
    const [, ...lines] = csv.stdout.trim().split('\n');
    const visits = JSON.parse(json.stdout) as Record<string, string & string[]>[];

    expect(json.exitCode).to.equal(0);
    expect(Object.keys(visits[0] ?? {})).to.have.members(
      ['record', 'dag', 'joined', 'event', 'state', 'day', 'opens', 'closes', 'instruments'], // DueVisit
    );
    expect(
      visits.map(({ record, dag, event, state, day, opens, closes, instruments }) =>
        [record, dag, event, state, day, opens, closes, instruments?.join(' ')].join(','),
      ),
    ).to.deep.equal(lines.map((line) => line.replaceAll('"', '')));
  });

  it('say how a study gets a schedule, where it has none', async () => {
    const { exitCode, stdout, stderr } = await crf(['due', '--json']);

    // As GET /api/v1/project/due, which says `hasSchedule: false`.
    expect({ exitCode, visits: JSON.parse(stdout) as unknown }).to.deep.equal({ exitCode: 0, visits: [] });
    expect(stderr).to.include('STUDY_FILE names a file that says when each visit is expected');
  });

  it('save the report of the study as one file that loads nothing', async () => {
    const { exitCode, stdout, stderr } = await crf(['summary', '--report', '-']);

    expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' });
    expect(stdout)
      .to.match(/^<!doctype html>/)
      .and.include('Completeness')
      .and.include('@media print');
    expect(stdout).to.not.match(/<script|<link|<a |url\(/);
  });

  it('compare in it how many days the data access groups take to enter a visit', async () => {
    const environment = { SANDBOX_STUDY: 'longitudinal' };
    const { stdout } = await runCrf(['summary', '--report', '-'], { environment });

    expect(stdout).to.match(/data-name="Days to entry">\d/);
    expect(stdout).to.include('Days to entry: the median from a visit to the entry of its date');
  });

  it('say how many days that is without the report too', async () => {
    const environment = { SANDBOX_STUDY: 'longitudinal' };
    const [json, text] = await Promise.all([
      runCrf(['summary', '--json'], { environment }),
      runCrf(['summary'], { environment }),
    ]);
    const { dags } = JSON.parse(json.stdout) as { dags: { label: string; daysToEntry: number | null }[] };

    expect(dags).to.have.length(4);
    for (const { label, daysToEntry } of dags)
      expect(text.stdout).to.match(new RegExp(`${label} .* 30, ${daysToEntry ?? 'unknown'} days? to entry`));
    expect(text.stdout)
      .to.include('Enrolment, Enrolment, arm 1 ')
      .and.include('Enrolment, Enrolment, arm 2 ');
  });

  it('LANG-04: save it in German, with times in the zone of the project', async () => {
    const environment = { CAPTURE_TIME_ZONE: 'Europe/Berlin' };
    const { exitCode, stdout } = await crf(['summary', '--report', '-', '--lang', 'de'], { environment });

    expect(exitCode).to.equal(0);
    expect(stdout).to.include('<html lang="de">').and.include('Vollständigkeit');
    expect(stdout).to.match(/>\d\d\.\d\d\.\d{4}, \d\d:\d\d MES?Z<\/time>/);
  });

  it('change the settings that crf info --json prints', async () => {
    const { stdout: info } = await crf(['info', '--json']);
    const { exitCode, stderr } = await crf(['info', 'put', '-'], { input: info });

    expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' });
  });

  it('change a setting', async () => {
    const put = await crf(['info', 'put', '-', '--json'], { input: '{"title":"Renamed"}' });
    expect(JSON.parse(put.stdout)).to.deep.equal({ count: 1 });
    expect((await crf(['info'])).stdout).to.match(/^Renamed\n/);
  });

  it('create a project with a super token', async () => {
    const { exitCode, stdout } = await crf(['project', 'create', 'New study', '--yes'], {}, SUPER_TOKEN);

    expect(exitCode).to.equal(0);
    expect((await crf(['info'], {}, stdout.trim())).stdout).to.match(/^New study\n/);
  });

  it('refuse to create a project with the token of one', async () => {
    const { exitCode, stderr } = await crf(['project', 'create', 'New study', '--yes']);

    expect({ exitCode, stderr }).to.deep.equal({
      exitCode: 2,
      stderr: 'CAPTURE_API_TOKEN must be a super token of 64 characters.\n',
    });
  });
});

describe('crf records randomize', function () {
  this.timeout(60_000);

  it('asks for confirmation, assigns once, and prints the assignment', async () => {
    const sandbox = await startRedcapSandbox({ study: randomizedStudy() });
    const environment = { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: DEMO_TOKEN };
    const randomize = (...options: string[]) =>
      runCrf(['records', 'randomize', '2', '1', ...options], { environment });
    const assignment = () => sandbox.project.records.get('2')?.row(PLACE)?.values.get('sex');

    const refused = await randomize();
    expect(refused.exitCode).to.equal(2);
    expect(refused.stderr).to.include('cannot be undone').and.to.include('--yes');
    expect(assignment()).to.equal(undefined);

    const { exitCode, stdout } = await randomize('--yes', '--return-alt');
    expect([exitCode, stdout]).to.deep.equal([0, `${assignment()}\n*\n`]);

    const again = await randomize('--yes');
    expect(again.exitCode).to.equal(1);
    expect(again.stderr).to.include('has an assignment already');
    await sandbox.close();
  });
});

const PLACE = { event: '', instrument: '', instance: 0 };

/** Commands that replace a list ask for confirmation. */
function yesFor(list: string): string[] {
  return list === 'mappings' ? ['--yes'] : [];
}
