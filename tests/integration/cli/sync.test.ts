import { expect } from 'chai';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { startFaultServer } from '../../support/fault-server.js';
import { forward } from '../../support/forward.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, longitudinalStudy } from '../../support/studies.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';

interface Line {
  readonly type: string;
  readonly record: string;
  readonly from?: string;
  readonly fields?: readonly string[];
  readonly cursor: string;
}

describe('crf sync and crf changes', function () {
  this.timeout(120_000);
  let folder: string;
  let sandbox: RedcapSandbox & { readonly token: string };
  let client: CrfClient;
  const file = (): string => join(folder, 'study.db');

  async function begin(study: Study): Promise<void> {
    sandbox = await startTestSandbox(study);
    client = createCrfClient({ url: sandbox.url, token: sandbox.token });
  }

  const crf = (...args: string[]): Promise<CrfRun> =>
    runCrf(args, {
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token },
    });

  const sync = (...args: string[]): Promise<CrfRun> => crf('sync', '--to', `sqlite:${file()}`, ...args);

  async function changes(since?: string): Promise<Line[]> {
    const { exitCode, stdout, stderr } = await crf(
      'changes',
      '--copy',
      `sqlite:${file()}`,
      ...(since === undefined ? [] : ['--cursor', since]),
    );
    expect(exitCode, stderr).to.equal(0);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  }

  function query(sql: string): Record<string, unknown>[] {
    const db = new sqlite.Database(file(), { readOnly: true });
    try {
      return db.all(sql);
    } finally {
      db.close();
    }
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-sync-'));
  });

  afterEach(async () => {
    client.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('copies a project with arms, events, repeats and missing data codes, cell by cell', async () => {
    const study = armsStudy();
    await begin({ ...study, rows: study.rows.map((row) => ({ ...row, ...(row.id === '2' && { marks___unk: '1' }) })) }); // prettier-ignore
    const { exitCode, stderr } = await sync('--verify');
    expect(stderr).to.include('equals a fresh export');
    expect(exitCode).to.equal(0);
    expect(query('SELECT id, name, alive, mood, mood__missing FROM enrol ORDER BY id')).to.deep.equal([
      { id: '1', name: 'Ada', alive: 1, mood: 'g', mood__missing: null },
      { id: '2', name: null, alive: 0, mood: null, mood__missing: '-9' },
    ]);
    expect(query('SELECT id, marks___aa, marks___unk, marks____9 FROM enrol ORDER BY id')).to.deep.equal([
      { id: '1', marks___aa: 1, marks___unk: 0, marks____9: 0 },
      { id: '2', marks___aa: 0, marks___unk: 1, marks____9: 0 },
    ]);
    expect(query('SELECT redcap_repeat_instance AS at, weight FROM visit ORDER BY 1')).to.deep.equal([
      { at: 1, weight: 70 },
      { at: 2, weight: 71.5 },
    ]);
    expect(query("SELECT mood FROM enrol_labels WHERE id = '1'")).to.deep.equal([{ mood: 'Good' }]);
    expect(readdirSync(folder)).to.deep.equal(['study.db']);
  });

  it('has what events, arms, instruments and groups are called, in their order, and what codes mean', async () => {
    const study = armsStudy();
    await begin({
      ...study,
      groups: [
        { uniqueName: 'north', name: 'The North', id: 7 },
        { uniqueName: 'far_south', name: 'Far South', id: 3 },
      ],
      fields: study.fields.map((field) =>
        field.name === 'weight'
          ? { ...field, sectionHeader: 'Body', branchingLogic: "[alive] = '1'", validationMin: '30' }
          : field,
      ),
    });
    await sync();
    expect(query('SELECT * FROM _arms ORDER BY position')).to.deep.equal([
      { arm_number: 1, label: 'Drug A', position: 1 },
      { arm_number: 2, label: 'Drug B', position: 2 },
    ]);
    expect(query('SELECT redcap_event_name, label, arm_number FROM _events ORDER BY position')).to.deep.equal(
      [
        { redcap_event_name: 'start_arm_1', label: 'Start', arm_number: 1 },
        { redcap_event_name: 'visit_arm_1', label: 'Visit', arm_number: 1 },
        { redcap_event_name: 'start_arm_2', label: 'Start', arm_number: 2 },
      ],
    );
    expect(query('SELECT instrument, label FROM _instruments ORDER BY position')).to.deep.equal([
      { instrument: 'enrol', label: 'The enrol' },
      { instrument: 'visit', label: 'The visit' },
      { instrument: 'meds', label: 'The meds' },
    ]);
    expect(query('SELECT data_access_group, label FROM _dags ORDER BY position')).to.have.deep.members([
      { data_access_group: 'north', label: 'The North' },
      { data_access_group: 'far_south', label: 'Far South' },
    ]);
    expect(
      query("SELECT section, branching, validation, minimum, maximum FROM _codebook WHERE field = 'weight'"),
    ).to.deep.equal([
      { section: 'Body', branching: "[alive] = '1'", validation: 'number_1dp', minimum: '30', maximum: null },
    ]);
    await client.dags.put([{ uniqueName: 'north', name: 'The Far North' }]);
    await sync();
    expect(query('SELECT label FROM _dags')).to.have.deep.members([
      { label: 'The Far North' },
      { label: 'Far South' },
    ]);
  });

  it('says that the groups cannot be read, if records have some', async () => {
    const study = longitudinalStudy();
    const groups = [{ uniqueName: 'north', name: 'The North', id: 7 }];
    await begin({ ...study, groups, rows: study.rows.map((row) => ({ ...row, redcap_data_access_group: 'north' })) }); // prettier-ignore
    const between = await startFaultServer((request) =>
      request.form.get('content') === 'dag'
        ? { kind: 'answer', status: 403, body: '{"error":"You do not have Data Access Groups privileges"}' }
        : forward(sandbox.url, request),
    );
    const { exitCode, stderr } = await runCrf(['sync', '--to', `sqlite:${file()}`], {
      environment: { CAPTURE_API_URL: between.url, CAPTURE_API_TOKEN: sandbox.token },
    });
    await between.close();
    expect(exitCode, stderr).to.equal(0);
    expect(stderr).to.include('may not read the data access groups');
    expect(query('SELECT * FROM _dags')).to.deep.equal([]);
  });

  it('has labels for events, yes and no and checkboxes, and missing data codes, in its views', async () => {
    await begin(armsStudy());
    await sync();
    expect(
      query('SELECT redcap_event_name AS event, alive, smoker, mood, mood__missing, marks___aa, marks___2 FROM enrol_labels ORDER BY id'), // prettier-ignore
    ).to.deep.equal([
      { event: 'Start (Arm 1: Drug A)', alive: 'True', smoker: 'No', mood: 'Good', mood__missing: null, marks___aa: 'Checked', marks___2: 'Unchecked' }, // prettier-ignore
      { event: 'Start (Arm 2: Drug B)', alive: 'False', smoker: null, mood: null, mood__missing: '-9', marks___aa: 'Unchecked', marks___2: 'Unchecked' }, // prettier-ignore
    ]);
  });

  it('has no status for a form that was never begun, and 0 for one that was begun and is incomplete', async () => {
    await begin(longitudinalStudy());
    await client.importRecords([{ id: 'B-2', redcap_event_name: 'start_arm_1', age: '30' }]);
    const { exitCode, stderr } = await sync('--verify');
    expect(exitCode, stderr).to.equal(0);
    expect(query('SELECT id, base_complete AS base FROM base ORDER BY id')).to.deep.equal([
      { id: 'A-1', base: '0' },
      { id: 'B-2', base: '0' },
    ]);
    expect(query("SELECT pulse, visit_complete AS visit FROM visit WHERE id = 'B-2'")).to.deep.equal([
      { pulse: null, visit: null },
    ]);
    expect(query("SELECT visit_complete AS visit FROM visit_labels WHERE id = 'B-2'")).to.deep.equal([
      { visit: null },
    ]);
  });

  it('delivers what was created, changed, renamed, regrouped and deleted, and then nothing', async () => {
    await begin(longitudinalStudy());
    const first = await changes();
    expect(first.map(({ type, record }) => [type, record])).to.deep.equal([['created', 'A-1']]);
    // One that begins with a hyphen could not be given back after --cursor.
    expect(first.at(-1)?.cursor).to.match(/^[\da-f]{12}\.\d+$/);
    const row = { redcap_event_name: 'start_arm_1' };
    await client.importRecords([{ id: 'B-2', ...row, age: '30' }], { check: false });
    await client.importRecords([{ id: 'A-1', ...row, age: '41' }], { check: false });
    const second = await changes(first.at(-1)?.cursor);
    expect(second.map(({ type, record, fields }) => [type, record, fields])).to.have.deep.members([
      ['created', 'B-2', undefined],
      ['changed', 'A-1', ['age']],
    ]);
    await client.records.rename('B-2', 'C-3');
    await client.records.delete(['A-1']);
    const third = await changes(second.at(-1)?.cursor);
    expect(third.map(({ type, record, from }) => [type, record, from])).to.have.deep.members([
      ['renamed', 'C-3', 'B-2'],
      ['deleted', 'A-1', undefined],
    ]);
    expect(await changes(third.at(-1)?.cursor)).to.deep.equal([]);
    expect(query('SELECT record FROM _records')).to.deep.equal([{ record: 'C-3' }]);
    const other = await crf('changes', '--copy', `sqlite:${file()}`, '--cursor', 'aaaaaaaaaaaa.1');
    expect(other.exitCode).to.equal(2);
    expect(other.stderr).to.include('--cursor is not a cursor of this copy');
  });

  it('keeps a field that was removed under a dated name, and adds a new one', async () => {
    await begin(longitudinalStudy());
    await sync();
    const fields = await client.fields.list();
    const kept = fields.filter(({ name }) => name !== 'pulse');
    const pulse = fields.find(({ name }) => name === 'pulse');
    if (pulse === undefined) throw new Error('The study has changed.');
    await client.fields.put([...kept, { ...pulse, name: 'heart_rate' }]);
    await client.importRecords([{ id: 'A-1', redcap_event_name: 'end_arm_1', heart_rate: '88' }], {
      check: false,
    });
    const { exitCode, stderr } = await sync('--verify');
    expect(exitCode, stderr).to.equal(0);
    const [row = {}] = query("SELECT * FROM visit WHERE redcap_event_name = 'end_arm_1'");
    const dated = Object.keys(row).find((name) => /^pulse__removed_\d{8}$/.test(name));
    expect(row).to.include({ heart_rate: 88, [dated ?? 'pulse__removed']: 70 });
  });

  it('drops what was removed if it is told to', async () => {
    await begin(longitudinalStudy());
    await sync();
    const fields = await client.fields.list();
    await client.fields.put(fields.filter(({ name }) => name !== 'pulse'));
    const { exitCode, stderr } = await sync('--on-removed', 'drop', '--verify');
    expect(exitCode, stderr).to.equal(0);
    // It was the only field of its instrument.
    expect(query("SELECT name FROM sqlite_master WHERE name LIKE 'visit%'")).to.deep.equal([]);
  });

  it('copies only the instruments that were named, and remembers them', async () => {
    await begin(armsStudy());
    const wrong = await sync('--forms', 'enrol', 'nothing');
    expect(wrong.exitCode).to.equal(2);
    expect(wrong.stderr).to.include('nothing is not an instrument of this project');
    const first = await sync('--forms', 'visit', '--verify');
    expect(first.exitCode, first.stderr).to.equal(0);
    const again = await sync('--verify');
    expect(again.exitCode, again.stderr).to.equal(0);
    const tables = query(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
    );
    expect(tables.map(({ name }) => name).filter((name) => name !== 'sqlite_sequence')).to.deep.equal([
      'visit',
    ]);
    expect(query('SELECT id, weight FROM visit ORDER BY weight')).to.deep.equal([
      { id: '1', weight: 70 },
      { id: '1', weight: 71.5 },
    ]);
    expect(query('SELECT count(*) AS n FROM _records')).to.deep.equal([{ n: 2 }]);
  });

  it('keeps a value that does not fit its field in a list, and null in its place', async () => {
    await begin(longitudinalStudy());
    const record = sandbox.project.records.get('A-1');
    record?.row({ event: 'end_arm_1', instrument: '', instance: 0 })?.values.set('pulse', 'fast');
    await sync();
    expect(query("SELECT pulse FROM visit WHERE redcap_event_name = 'end_arm_1'")).to.deep.equal([
      { pulse: null },
    ]);
    expect(query('SELECT record, instrument, field, value FROM _conversion_issues')).to.deep.equal([
      { record: 'A-1', instrument: 'visit', field: 'pulse', value: 'fast' },
    ]);
  });

  it('SYNC-03: stops if most records have vanished, and goes on if it is told to', async () => {
    await begin(createDemoStudy({ participants: 20 }));
    await sync();
    const ids = sandbox.project.records.ids.slice(0, 15);
    for (const id of ids) sandbox.project.records.delete(id);
    const stopped = await sync();
    expect(stopped.exitCode).to.equal(1);
    expect(stopped.stderr).to.include('15 of 20 records have vanished');
    expect(query('SELECT count(*) AS n FROM _records')).to.deep.equal([{ n: 20 }]);
    expect((await sync('--allow-mass-delete', '--verify')).exitCode).to.equal(0);
    expect(query('SELECT count(*) AS n FROM _records')).to.deep.equal([{ n: 5 }]);
  });

  it('finds a change that left no trace in a sweep, which --verify asks for', async () => {
    await begin(longitudinalStudy());
    await sync();
    sandbox.project.records
      .get('A-1')
      ?.row({ event: 'end_arm_1', instrument: '', instance: 0 })
      ?.values.set('pulse', '99');
    const verified = await sync('--verify');
    expect(verified.exitCode).to.equal(1);
    expect(verified.stderr).to.include('record A-1: visit.pulse');
    expect(verified.stderr).not.to.include('99 ');
    expect((await sync('--sweep', '--verify')).exitCode).to.equal(0);
  });

  it('says who is writing a copy, and refuses a file that is none', async () => {
    await begin(longitudinalStudy());
    writeFileSync(`${file()}.lock`, '1 elsewhere');
    const locked = await sync();
    expect(locked.exitCode).to.equal(1);
    expect(locked.stderr).to.include('Another process (1 on elsewhere) is writing this copy');
    // One that was killed before it had written its name.
    writeFileSync(`${file()}.lock`, '');
    utimesSync(`${file()}.lock`, new Date(0), new Date(0));
    expect((await sync()).exitCode).to.equal(0);
    const nowhere = await crf('sync', '--to', `sqlite:${join(folder, 'nowhere', 'study.db')}`);
    expect([nowhere.exitCode, nowhere.stderr.includes('no such folder')]).to.deep.equal([1, true]);
    writeFileSync(file(), 'something else, which is long enough to be a file of its own');
    const refused = await sync();
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr).to.include('is not an SQLite database that crf sync has written');
  });

  it('looks again with --every, and writes the file again only when something has changed', async () => {
    await begin(longitudinalStudy());
    /** What each look found, and when the file was written that it found. */
    const looks: { readonly changed: number; readonly writtenAt: number }[] = [];
    let change: Promise<unknown> | undefined;
    const { exitCode } = await runCrf(['sync', '--json', '--every', '1s', '--to', `sqlite:${file()}`], {
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token },
      onOutput: (text, interrupt) => {
        for (const line of text.split('\n').filter((each) => each.startsWith('{'))) {
          const { changed } = JSON.parse(line) as { readonly changed: number };
          looks.push({ changed, writtenAt: existsSync(file()) ? statSync(file()).mtimeMs : 0 });
        }
        const row = { id: 'A-1', redcap_event_name: 'start_arm_1', age: '42' };
        if (looks.length === 4) change ??= client.importRecords([row], { check: false });
        if (looks.some(({ changed }, at) => changed > 0 && at < looks.length - 1)) interrupt();
      },
    });
    await change;
    expect(exitCode).to.equal(0);
    const [, second, third, fourth] = looks.map(({ writtenAt }) => writtenAt);
    expect([third, fourth]).to.deep.equal([second, second]);
    expect(looks.at(-1)?.writtenAt).to.be.above(second ?? Infinity);
    expect(query('SELECT age FROM base')).to.deep.equal([{ age: 42 }]);
    expect(readdirSync(folder)).to.deep.equal(['study.db']);
  });

  it('refuses a budget without looks', async () => {
    await begin(longitudinalStudy());
    const { exitCode, stderr } = await sync('--budget', '96');
    expect(exitCode).to.equal(2);
    expect(stderr).to.include('--budget needs --every');
  });

  it('shows how current a copy is, also while somebody writes it, or reads it too', async () => {
    await begin(longitudinalStudy());
    await sync();
    writeFileSync(`${file()}.lock`, '1 elsewhere');
    const status = ['sync', 'status', '--to', `sqlite:${file()}`, '--json'];
    const runs = await Promise.all([crf(...status), crf(...status), crf(...status)]);
    for (const { stdout, stderr, exitCode } of runs) {
      expect(exitCode, stderr).to.equal(0);
      expect(JSON.parse(stdout)).to.include({
        records: 1,
        changes: 1,
        isSweeping: false,
        conversionIssues: 0,
      });
    }
    expect(readdirSync(folder)).to.deep.equal(['study.db', 'study.db.lock']);
  });
});
