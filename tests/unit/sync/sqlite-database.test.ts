import { expect } from 'chai';
import fs, {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import type { Cell, SqlColumn } from '../../../src/sync/sql-database.js';
import { SqliteDatabase } from '../../../src/sync/sqlite-database.js';
import { CopyStoppedError } from '../../../src/domain/errors/caller-errors.js';

/** What changes files, for SQLite as for us. */
const CALLS = [
  'openSync',
  'writeSync',
  'ftruncateSync',
  'fsyncSync',
  'closeSync',
  'unlinkSync',
  'rmSync',
  'rmdirSync',
  'mkdirSync',
  'linkSync',
  'renameSync',
  'copyFileSync',
] as const;

describe('the SQLite file of a copy', function () {
  this.timeout(60_000);
  let folder: string;
  const now = (): string => join(folder, 'now');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-sqlite-'));
    mkdirSync(now());
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** One look: a table of its own, more rows in the table of all looks, and what was there before is changed. */
  async function look(number: number): Promise<void> {
    const db = await SqliteDatabase.open(join(now(), 'copy.db'), 'write');
    const columns = ['id', 'value'].map((name): SqlColumn => ({ name, type: 'TEXT' }));
    const rows = Array.from({ length: 40 * number }, (_, at): Cell[] => [`${at}`, `${number}`.repeat(200)]);
    try {
      await db.transaction(async () => {
        for (const table of ['every', `look_${number}`])
          await db.define(`CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY, value TEXT)`);
      });
      await db.transaction(() => db.insert({ table: 'every', columns, keys: ['id'], rows }));
      await db.publish();
    } finally {
      await db.close();
    }
  }

  /** Returns what a process leaves behind that is killed before each call which changes a file. */
  async function everyStateOf(work: () => Promise<void>): Promise<string[]> {
    const originals = CALLS.map((name) => [name, fs[name]] as const);
    const states: string[] = [];
    // What Node.js takes hold of in the meantime is not to go on counting.
    let isCounting = true;
    for (const [name, original] of originals)
      Object.assign(fs, {
        [name]: (...args: unknown[]): unknown => {
          if (isCounting) {
            isCounting = false;
            const state = join(folder, `${states.length}`);
            cpSync(now(), state, { recursive: true });
            states.push(state);
            isCounting = true;
          }
          return (original as (...args: unknown[]) => unknown)(...args);
        },
      });
    syncBuiltinESMExports();
    try {
      await work();
    } finally {
      isCounting = false;
      Object.assign(fs, Object.fromEntries(originals));
      syncBuiltinESMExports();
    }
    return states;
  }

  function problemsOf(file: string): unknown {
    const db = new sqlite.Database(file, { readOnly: true });
    try {
      return db.all('PRAGMA integrity_check').map((row) => row['integrity_check']);
    } finally {
      db.close();
    }
  }

  for (const [what, before] of [
    ['a first look', 0],
    ['a later look', 1],
  ] as const)
    it(`SYNC-02: is whole after ${what} that was killed anywhere, and the next one`, async () => {
      if (before > 0) await look(before);
      const states = await everyStateOf(() => look(before + 1));
      expect(states).to.have.length.above(60);
      for (const [at, state] of states.entries()) {
        rmSync(now(), { recursive: true });
        cpSync(state, now(), { recursive: true });
        // The process that it names is this one, which is alive.
        rmSync(join(now(), 'copy.db.lock'), { force: true });
        await look(before + 2);
        expect(problemsOf(join(now(), 'copy.db')), `before call ${at}`).to.deep.equal(['ok']);
        expect(readdirSync(now()), `before call ${at}`).to.deep.equal(['copy.db']);
      }
    });

  it('says so if the disk is full, and gives the lock back', async () => {
    await look(1);
    const { writeSync } = fs;
    let written = 0;
    fs.writeSync = ((...args: Parameters<typeof writeSync>) => {
      if ((written += 1) > 20) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return writeSync(...args);
    }) as typeof writeSync;
    try {
      const error = await look(2).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect((error as Error | undefined)?.message).to.match(/^SQLite failed: .*\. Check the space/);
    } finally {
      fs.writeSync = writeSync;
    }
    expect(readdirSync(now())).not.to.include('copy.db.lock');
    await look(2);
    expect(problemsOf(join(now(), 'copy.db'))).to.deep.equal(['ok']);
    expect(readdirSync(now())).to.deep.equal(['copy.db']);
  });

  it('SYNC-02: says what SQLite said of a file that is broken, and what to do', async () => {
    await look(1);
    const file = join(now(), 'copy.db');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, 4096));
    const error = await look(2).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(CopyStoppedError);
    expect((error as CopyStoppedError).message).to.match(/^SQLite failed: .*malformed.*\. Check the space/);
  });
});
