import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { openCopy } from '../../../src/sync/open-copy.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { describeWith } from '../../support/needed-programs.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, longitudinalStudy } from '../../support/studies.js';

describeWith(['postgres'], 'crf sync into PostgreSQL', function () {
  this.timeout(120_000);
  let server: PostgresServer;
  let sandbox: RedcapSandbox & { readonly token: string };
  let client: CrfClient;
  let [schema, schemas] = ['', 0];

  before(async () => {
    server = await PostgresServer.start();
  });

  after(() => server.dispose());

  beforeEach(() => {
    schema = `study_${(schemas += 1)}`;
  });

  async function begin(study: Study): Promise<void> {
    sandbox = await startTestSandbox(study);
    client = createCrfClient({ url: sandbox.url, token: sandbox.token });
  }

  async function end(): Promise<void> {
    client.close();
    await sandbox.close();
  }

  const crf = (args: readonly string[]) =>
    runCrf([...args], {
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token },
    });

  const sync = (...args: string[]): Promise<CrfRun> => crf(['sync', '--to', server.url(schema), ...args]);

  const query = (sql: string): string[] => server.query(`SET search_path TO ${schema}; ${sql}`).slice(1);

  it('writes the types of the dictionary, and views with labels', async () => {
    await begin(armsStudy());
    const { exitCode, stderr } = await sync('--verify');
    expect(exitCode, stderr).to.equal(0);
    expect(stderr).to.include('equals a fresh export');
    expect(query('SELECT id, name, alive, mood, mood__missing FROM enrol ORDER BY id')).to.deep.equal([
      '1|Ada|t|g|',
      '2||f||-9',
    ]);
    expect(query('SELECT redcap_repeat_instance, weight * 2 FROM visit ORDER BY 1')).to.deep.equal([
      '1|140',
      '2|143',
    ]);
    expect(query("SELECT mood FROM enrol_labels WHERE id = '1'")).to.deep.equal(['Good']);
    await end();
  });

  it('needs no right on the database, as the documentation makes the schema, for itself or for readers', async () => {
    await begin(armsStudy());
    server.query(
      `CREATE ROLE own_${schema} LOGIN; CREATE ROLE reader_${schema} LOGIN; CREATE SCHEMA ${schema} AUTHORIZATION own_${schema}`,
    );
    server.query(
      `GRANT USAGE ON SCHEMA ${schema} TO reader_${schema}; ALTER DEFAULT PRIVILEGES FOR ROLE own_${schema} IN SCHEMA ${schema} GRANT SELECT ON TABLES TO reader_${schema}`,
    );
    const address = server.url(schema).replace('crf@', `own_${schema}@`);
    for (const flags of [['--verify'], ['--sweep', '--verify']]) {
      const { exitCode, stderr } = await crf(['sync', '--to', address, ...flags]);
      expect(exitCode, stderr).to.equal(0);
    }
    server.query(
      `SET ROLE reader_${schema}; SELECT * FROM ${schema}.enrol; SELECT * FROM ${schema}._events; SELECT * FROM ${schema}.enrol_labels`,
    );
    const status = await crf(['sync', 'status', '--json', '--to', address.replace('own_', 'reader_')]);
    expect(JSON.parse(status.stdout)).to.include({ records: 2 });
    const missing = await crf(['sync', '--to', address.replace(`schema=${schema}`, 'schema=elsewhere')]);
    expect([missing.exitCode, missing.stderr]).to.deep.equal([
      1,
      `The database has no schema elsewhere, and the user may not make one. Let somebody who may run CREATE SCHEMA "elsewhere" AUTHORIZATION, with the name of the user, then run this again.\n`,
    ]);
    await end();
  });

  it('has labels for events, yes and no and checkboxes in its views, and no status of what was never begun', async () => {
    const study = armsStudy();
    await begin({ ...study, groups: [{ uniqueName: 'north', name: 'The North', id: 7 }] });
    await client.importRecords([{ id: '3', redcap_event_name: 'start_arm_2' }], { check: false });
    expect((await sync('--verify')).exitCode).to.equal(0);
    expect(query('SELECT redcap_event_name, alive, smoker, mood__missing, marks___aa, enrol_complete FROM enrol_labels ORDER BY id')) // prettier-ignore
      .to.deep.equal([
        'Start (Arm 1: Drug A)|True|No||Checked|Complete',
        'Start (Arm 2: Drug B)|False||-9|Unchecked|Incomplete',
        'Start (Arm 2: Drug B)||||Unchecked|',
      ]);
    expect(query('SELECT label, arm_number, position FROM _events ORDER BY position')).to.deep.equal([
      'Start|1|1',
      'Visit|1|2',
      'Start|2|3',
    ]);
    expect(query('SELECT data_access_group, label FROM _dags')).to.deep.equal(['north|The North']);
    await end();
  });

  it('commits what has changed, follows the dictionary, and prints the changes', async () => {
    await begin(longitudinalStudy());
    await sync();
    const fields = await client.fields.list();
    const pulse = fields.find(({ name }) => name === 'pulse');
    if (pulse === undefined) throw new Error('The study has changed.');
    const renamed = { ...pulse, name: 'heart_rate' };
    await client.fields.put([...fields.filter((field) => field !== pulse), renamed]);
    await client.importRecords([{ id: 'A-1', redcap_event_name: 'end_arm_1', heart_rate: '88' }], { check: false }); // prettier-ignore
    await client.records.rename('A-1', 'B-2');
    const { exitCode, stderr } = await sync('--verify');
    expect(exitCode, stderr).to.equal(0);
    expect(query('SELECT id, heart_rate FROM visit WHERE heart_rate IS NOT NULL')).to.deep.equal(['B-2|88']);
    expect(query("SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema() AND column_name LIKE 'pulse__removed_%'")).to.deep.equal(['1']); // prettier-ignore
    const { stdout } = await crf(['changes', '--copy', server.url(schema)]);
    // A record that was renamed and changed is a new one.
    const types = stdout.trim().split('\n').map((line) => (JSON.parse(line) as { type: string }).type); // prettier-ignore
    expect(types).to.have.members(['created', 'created', 'deleted']);
    const status = await crf(['sync', 'status', '--to', server.url(schema), '--json']);
    expect(JSON.parse(status.stdout)).to.include({ records: 1, conversionIssues: 0 });
    await end();
  });

  it('keeps what a table cannot hold in the list of issues', async () => {
    await begin(longitudinalStudy());
    const values = sandbox.project.records.get('A-1')?.row({ event: 'end_arm_1', instrument: '', instance: 0 })?.values; // prettier-ignore
    values?.set('pulse', 'a\u0000b');
    const { exitCode, stderr } = await sync('--verify');
    expect(exitCode, stderr).to.equal(0);
    expect(query('SELECT field, value FROM _conversion_issues')).to.deep.equal(['pulse|a\\u0000b']);
    await end();
  });

  it('refuses a schema of somebody else, an address that does not answer and a second writer', async () => {
    await begin(longitudinalStudy());
    server.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.visit (id text)`);
    const refused = await sync();
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr).to.include('has tables that are not of crf sync');
    const away = await crf(['sync', '--to', 'postgres://somebody:secret-word@127.0.0.1:1/x']);
    expect(away.exitCode).to.equal(1);
    expect(away.stderr).to.include('PostgreSQL could not be opened (ECONNREFUSED)');
    expect(away.stderr).not.to.include('secret-word');
    server.query(`DROP SCHEMA ${schema} CASCADE`);
    const copy = await openCopy({ kind: 'postgres', place: server.url(schema) });
    const second = await sync();
    expect(second.stderr).to.include('Another process is writing this copy');
    await copy.database.close();
    await end();
  });
});
