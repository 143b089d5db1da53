import { expect } from 'chai';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCopy, type CopyTarget } from '../../../src/sync/open-copy.js';
import { quoted } from '../../../src/sync/sql-database.js';
import { createDemoStudy, DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox, type RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { describeWith } from '../../support/needed-programs.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { spawnCrf, type CrfRun } from '../../support/run-crf.js';

/** How often each copy is killed. `SYNC_KILLS=100` is for a release. */
const KILLS = Number(process.env.SYNC_KILLS ?? 3);
/** More than the engine reads and commits at a time. */
const RECORDS = 600;

describe('crf sync that is killed', function () {
  this.timeout(60_000 + 20_000 * KILLS);
  let folder: string;
  let sandbox: RedcapSandbox;
  let onCall: (() => void) | undefined;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crf-sync-'));
    const clock = (): Date => {
      onCall?.();
      return new Date();
    };
    sandbox = await startRedcapSandbox({ study: createDemoStudy({ participants: RECORDS }), clock });
  });

  afterEach(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Reads every record. @param killMs so long after its first call it is killed */
  async function sweep(target: string, killMs = Infinity): Promise<CrfRun & { readonly tookMs: number }> {
    let firstCallMs = performance.now();
    const run = await spawnCrf(['sync', '--sweep', '--to', target], {
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: DEMO_TOKEN },
      onStart: (kill) => {
        onCall = () => {
          onCall = undefined;
          firstCallMs = performance.now();
          if (killMs !== Infinity) setTimeout(() => kill('SIGKILL'), killMs);
        };
      },
    });
    onCall = undefined;
    return { ...run, tookMs: performance.now() - firstCallMs };
  }

  /** Changes every record, and leaves no trace of it in the log. */
  function change(to: number): void {
    for (const id of sandbox.project.records.ids)
      sandbox.project.records
        .get(id)
        ?.row({ event: '', instrument: '', instance: 0 })
        ?.values.set('clinical_notes', `note ${to}`);
  }

  /** Kills a copy again and again while it has everything to do, and then lets it be. */
  async function killAndResume(killed: string, whole: string): Promise<void> {
    const { tookMs } = await sweep(whole);
    // A run that was quicker than the first has ended before it is killed.
    for (let at = 0, kills = 0; kills < KILLS; at++) {
      change(at);
      const { exitCode, stderr } = await sweep(killed, Math.random() * tookMs);
      if (exitCode === null) kills += 1;
      else expect(exitCode, stderr).to.equal(0);
    }
    for (const target of [killed, whole]) {
      const { exitCode, stderr } = await sweep(target);
      expect(exitCode, stderr).to.equal(0);
    }
  }

  /** Every cell of a copy, and every record that was said to be created. */
  async function contentOf(target: CopyTarget): Promise<unknown> {
    const { database } = await openCopy(target);
    try {
      const content: Record<string, unknown> = {
        created: await database.all("SELECT DISTINCT record FROM _changes WHERE type = 'created' ORDER BY 1"),
      };
      for (const table of await database.tables()) {
        if (['_sync', '_changes'].includes(table)) continue;
        // What the engine remembers of a record differs from copy to copy.
        const columns = (await database.columns(table)).filter(
          ({ name }) => !['hash', 'swept'].includes(name),
        );
        const names = columns.map(({ name }) => quoted(name)).join(', ');
        content[table] = await database.all(`SELECT ${names} FROM ${quoted(table)} ORDER BY ${names}`);
      }
      return content;
    } finally {
      await database.close();
    }
  }

  it('SYNC-02: ends with the SQLite file of a run that was not', async () => {
    const [killed, whole] = [join(folder, 'killed.db'), join(folder, 'whole.db')];
    await killAndResume(`sqlite:${killed}`, `sqlite:${whole}`);
    const content = await contentOf({ kind: 'sqlite', place: killed });
    expect(content).to.deep.equal(await contentOf({ kind: 'sqlite', place: whole }));
    expect(content).to.have.property('_records').with.length(RECORDS);
    expect(content).to.have.property('created').with.length(RECORDS);
  });

  for (const kind of ['csv', 'parquet'] as const)
    it(`SYNC-02: ends with the ${kind} files of a run that was not`, async () => {
      const [killed, whole] = [join(folder, 'killed'), join(folder, 'whole')];
      await killAndResume(`${kind}:${killed}`, `${kind}:${whole}`);
      const names = readdirSync(whole);
      expect(readdirSync(killed)).to.have.members(names);
      for (const name of names.filter((each) => each.endsWith(kind) && !each.startsWith('_changes')))
        expect(readFileSync(join(killed, name)).equals(readFileSync(join(whole, name))), name).to.equal(true);
    });

  describeWith(['postgres'], 'in PostgreSQL', () => {
    let server: PostgresServer;

    before(async () => {
      server = await PostgresServer.start();
    });

    after(() => server.dispose());

    it('SYNC-02: ends with the schema of a run that was not', async () => {
      const [killed, whole] = [server.url('killed'), server.url('whole')];
      await killAndResume(killed, whole);
      const content = await contentOf({ kind: 'postgres', place: killed });
      expect(content).to.deep.equal(await contentOf({ kind: 'postgres', place: whole }));
      expect(content).to.have.property('created').with.length(RECORDS);
    });
  });
});
