import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, longitudinalStudy } from '../../support/studies.js';

const POLICY = (hidden: string): string => `version: 1
policies:
  analyst:
    records: all
    forms: { enrol: read, visit: read }
    fields: { hide: [${hidden}] }
    deidentify: remove-identifiers
    transform: { record_id: pseudonym }
  other: { records: all, forms: { enrol: read } }
  once: { records: all, forms: { enrol: read }, deidentify: safe-harbor }
  visits: { records: { where: "[weight] > 71" }, forms: { visit: read }, log: read }
bindings:
  - { key: stats, policy: analyst }
  - { key: other, policy: other }
  - { key: once, policy: once }
  - { key: visits, policy: visits }
`;

describe('crf sync of a view', function () {
  this.timeout(120_000);
  let folder: string;
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let client: CrfClient;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crf-views-'));
    sandbox = await startTestSandbox(armsStudy());
    client = createCrfClient({ url: sandbox.url, token: sandbox.token });
    writeFileSync(join(folder, 'policy.yaml'), POLICY('pain'));
    const accepted = await crf('policy', 'accept', 'policy.yaml', '--yes');
    expect(accepted.exitCode, accepted.stderr).to.equal(0);
  });

  after(async () => {
    client.close();
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  const crf = (...args: string[]): Promise<CrfRun> =>
    runCrf(args, {
      cwd: folder,
      environment: {
        CAPTURE_API_URL: sandbox.url,
        CAPTURE_API_TOKEN: sandbox.token,
        PSEUDONYM_KEY: 'ab'.repeat(32),
        POLICY_FILE: 'policy.yaml',
      },
    });

  const sync = (name: string, ...args: string[]): Promise<CrfRun> =>
    crf('sync', '--to', `sqlite:${name}`, ...args);

  function query(name: string, sql: string): Record<string, unknown>[] {
    const db = new sqlite.Database(join(folder, name), { readOnly: true });
    try {
      return db.all(sql);
    } finally {
      db.close();
    }
  }

  const columnsOf = (name: string, table: string): unknown[] =>
    query(name, `SELECT name FROM pragma_table_info('${table}')`).map((row) => row['name']);

  it('SYNC-06: has pseudonyms and no hidden value, is verified, and follows what changes', async () => {
    const first = await sync('stats.db', '--as', 'key:stats', '--verify');
    expect(first.exitCode, first.stderr).to.equal(0);
    expect(first.stderr).to.include('equals a fresh export').and.include('The policy shows no log');
    const ids = query('stats.db', 'SELECT record FROM _records').map(({ record }) => String(record));
    expect(ids).to.have.length(2);
    for (const id of ids) expect(id).to.match(/^p[\da-f]{4}-/);
    expect(columnsOf('stats.db', 'enrol'))
      .to.include.members(['alive', 'smoker'])
      .and.not.include.members(['name', 'pain']);
    expect(readFileSync(join(folder, 'stats.db')).includes('Ada')).to.equal(false);

    await client.importRecords([{ id: '1', redcap_event_name: 'start_arm_1', smoker: '1' }], {
      check: false,
    });
    const changes = await crf('changes', '--copy', 'sqlite:stats.db', '--as', 'key:stats', '--sweep');
    expect(changes.exitCode, changes.stderr).to.equal(0);
    const [last = ''] = changes.stdout.trimEnd().split('\n').slice(-1);
    const change = JSON.parse(last) as { readonly record: string };
    expect(change)
      .to.include({ type: 'changed' })
      .and.deep.include({ fields: ['smoker'] });
    expect(ids).to.include(change.record);
  });

  it('SYNC-06: stays the copy of one view', async () => {
    await sync('own.db', '--as', 'key:stats');
    for (const [args, whose] of [
      [[], 'what the policy analyst shows'],
      [['--as', 'key:other'], 'what the policy analyst shows'],
    ] as const) {
      const { exitCode, stderr } = await sync('own.db', ...args);
      expect([exitCode, stderr]).to.deep.equal([2, stderr]);
      expect(stderr).to.include(`This is a copy of ${whose}`);
    }
    await sync('all.db');
    const { exitCode, stderr } = await sync('all.db', '--as', 'key:stats');
    expect(exitCode).to.equal(2);
    expect(stderr).to.include('This is a copy of the whole project');
  });

  it('SYNC-06: drops what the policy hides from then on', async () => {
    await sync('narrowed.db', '--as', 'key:stats');
    writeFileSync(join(folder, 'policy.yaml'), POLICY('smoker, pain'));
    const { exitCode, stderr } = await sync('narrowed.db', '--as', 'key:stats', '--verify');
    writeFileSync(join(folder, 'policy.yaml'), POLICY('pain'));
    expect(exitCode, stderr).to.equal(0);
    expect(
      columnsOf('narrowed.db', 'enrol').filter((name) => String(name).startsWith('smoker')),
    ).to.deep.equal([]);
  });

  it('has the records of a condition, found by the log that the policy shows', async () => {
    const first = await sync('visits.db', '--as', 'key:visits', '--verify');
    expect(first.exitCode, first.stderr).to.equal(0);
    expect(query('visits.db', 'SELECT record FROM _records')).to.deep.equal([{ record: '1' }]);
    expect(first.stderr).not.to.include('shows no log');
  });

  it('refuses ids that are others at each export, a caller without rights, and a policy for nobody', async () => {
    const random = await sync('random.db', '--as', 'key:once');
    expect([random.exitCode, random.stderr.includes('no copy can follow them')]).to.deep.equal([2, true]);
    const nobody = await sync('nobody.db', '--as', 'key:nobody');
    expect(nobody.stderr).to.include('key:nobody has no rights');
    const alone = await sync('alone.db', '--policy', 'policy.yaml');
    expect([alone.exitCode, alone.stderr.includes('--policy needs --as')]).to.deep.equal([2, true]);
  });

  it('OPS-10: copies each project of a file of projects, and refuses to mix them', async () => {
    const long = longitudinalStudy();
    const other = await startTestSandbox({ ...long, project: { ...long.project, id: 77 } });
    try {
      const entries = Object.entries({ arms: sandbox, long: other }).map(([name, { url, token }]) => {
        writeFileSync(join(folder, name), token);
        return `  ${name}: { url: "${url}", tokenFile: ${name} }\n`;
      });
      writeFileSync(
        join(folder, 'projects.yaml'),
        `version: 1\ndefault: arms\nprojects:\n${entries.join('')}`,
      );
      const syncOf = (name: string, file: string): Promise<CrfRun> =>
        runCrf(
          [
            'sync',
            '--projects-file',
            'projects.yaml',
            '--project',
            name,
            '--to',
            `sqlite:${file}`,
            '--verify',
          ],
          {
            cwd: folder,
          },
        );
      for (const [name, table] of [
        ['arms', 'enrol'],
        ['long', 'base'],
      ] as const) {
        const { exitCode, stderr } = await syncOf(name, `${name}.db`);
        expect(exitCode, stderr).to.equal(0);
        expect(columnsOf(`${name}.db`, table)).to.include(`${table}_complete`);
      }
      const mixed = await syncOf('long', 'arms.db');
      expect(mixed.exitCode).to.equal(1);
      expect(mixed.stderr).to.include('This is a copy of another project');
    } finally {
      await other.close();
    }
  });
});
