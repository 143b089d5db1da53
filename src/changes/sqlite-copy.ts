import { createHash } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  closeSync,
  renameSync,
  rmSync,
} from 'node:fs';
import type { Database, Statement } from 'node-sqlite3-wasm';
import type { ProjectStructure } from '../dictionary/project-structure.js';
import { CopyStoppedError } from '../errors/caller-errors.js';
import type { RecordRow } from '../gateways/redcap/crf-client.js';
import type { Change, ChangeStore, EngineState, KnownRecord, Step } from './change-store.js';
import { lockFile } from './lock-file.js';
import { followStructure, quoted } from './sqlite-schema.js';
import { cellNames, tableRowsOf, tablesOf, type Cell, type Table } from './sqlite-tables.js';

/** A change as it stands in the copy. */
export type StoredChange = Change & {
  readonly seq: number;
  /** When it was found, as ISO 8601 in UTC. */
  readonly at: string;
  /** The columns that differ. */
  readonly fields?: readonly string[];
};

/** A cell in which the copy differs from REDCap. */
export interface Difference {
  readonly record: string;
  /** Undefined if the whole record is missing, or is too much. */
  readonly instrument?: string | undefined;
  readonly column?: string | undefined;
}

/** What is known of a copy without REDCap. */
export interface CopyStatus {
  readonly state: EngineState;
  readonly records: number;
  readonly changes: number;
  readonly issues: number;
}

const NOT_A_COPY = 'The file is not an SQLite database that crf sync has written.';

/**
 * A project as an SQLite file: a table for each instrument, the changes, and the engine's own state, which is stored in the
 * same transaction. SQLite's WebAssembly build has locks that other programs do not see, so nothing is ever written to
 * the file itself: work is done in `FILE.part`, which `publish` renames. Readers always see a complete file, and what a
 * killed run has left behind is gone on with.
 */
export class SqliteCopy implements ChangeStore {
  #db: Database;
  #structure: ProjectStructure | undefined;
  #tables: readonly Table[] = [];
  readonly #statements = new Map<string, Statement>();

  private constructor(
    private readonly open: (path: string) => Database,
    private readonly file: string,
    private readonly unlock: () => void,
    private readonly now: () => number,
  ) {
    this.#db = this.#prepare();
  }

  /**
   * Opens a copy for writing, or begins one.
   *
   * @throws {CopyStoppedError} another process is writing it, or it is not such a copy
   */
  static async open(file: string, now: () => number = Date.now): Promise<SqliteCopy> {
    const { default: sqlite } = await import('node-sqlite3-wasm');
    const unlock = lockFile(`${file}.lock`);
    try {
      return new SqliteCopy((path) => new sqlite.Database(path), file, unlock, now);
    } catch (error) {
      unlock();
      throw error instanceof Error && error.name === 'SQLite3Error'
        ? new CopyStoppedError(NOT_A_COPY, { cause: error })
        : error;
    }
  }

  /**
   * Reads a published copy, without its lock: nothing is written to it.
   *
   * @throws {CopyStoppedError} the file is no such copy
   */
  static async statusOf(file: string): Promise<CopyStatus> {
    const { default: sqlite } = await import('node-sqlite3-wasm');
    const db = new sqlite.Database(file, { readOnly: true });
    try {
      const one = (sql: string): unknown => Object.values(db.get(sql) ?? {})[0];
      return {
        state: JSON.parse(`${one("SELECT value FROM _sync WHERE name = 'state'") as string}`) as EngineState,
        records: Number(one('SELECT count(*) FROM _records')),
        changes: Number(one('SELECT count(*) FROM _changes')),
        issues: Number(one('SELECT count(*) FROM _conversion_issues')),
      };
    } catch (error) {
      throw new CopyStoppedError(NOT_A_COPY, { cause: error });
    } finally {
      db.close();
    }
  }

  /** Opens `FILE.part`: that of a killed run, which is newer than the file, or a copy of the file. */
  #prepare(): Database {
    const part = `${this.file}.part`;
    // The lock of the WebAssembly build is a folder, which a killed process leaves behind; ours shows that it is dead.
    rmSync(`${part}.lock`, { recursive: true, force: true });
    if (!existsSync(part) && existsSync(this.file)) {
      copyFileSync(this.file, `${part}.new`, constants.COPYFILE_FICLONE);
      renameSync(`${part}.new`, part);
    }
    const db = this.open(part);
    try {
      db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE');
      db.exec(OWN_TABLES);
      db.exec('COMMIT');
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  }

  state(): EngineState | undefined {
    return this.#value<EngineState>('state');
  }

  known(): Map<string, KnownRecord> {
    const known = new Map<string, KnownRecord>();
    const rows = this.#statement('SELECT record, data_access_group, hash, swept FROM _records').iterate();
    for (const { record, data_access_group, hash, swept } of rows as Iterable<Record<string, Cell>>)
      known.set(`${record}`, { hash: `${hash}`, group: `${data_access_group}`, swept: Number(swept) });
    return known;
  }

  /** Returns the changes after a position, oldest first, at most so many. */
  changesAfter(seq: number, limit: number): StoredChange[] {
    const sql = 'SELECT seq, at, type, record, was, fields FROM _changes WHERE seq > ? ORDER BY seq LIMIT ?';
    return this.#statement(sql)
      .all([seq, limit])
      .map((row) => {
        const { was, fields, ...rest } = row as Record<string, Cell>;
        return {
          ...rest,
          ...(was !== null && { from: was }),
          ...(fields !== null && { fields: JSON.parse(`${fields}`) as string[] }),
        } as unknown as StoredChange;
      });
  }

  /** The number of the last change; 0 before the first. */
  get lastSeq(): number {
    return Number(this.#statement('SELECT max(seq) AS last FROM _changes').get()?.['last'] ?? 0);
  }

  /** A name of this file's history: positions of another file mean something else. */
  get name(): string {
    return createHash('sha256')
      .update(this.state()?.key ?? '')
      .digest('base64url')
      .slice(0, 12);
  }

  async commit(step: Step): Promise<void> {
    await Promise.resolve();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      this.#write(step);
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #write({ structure, isRedesigned, records = [], deleted = [], state }: Step): void {
    if (structure !== this.#structure) {
      this.#finalize();
      this.#structure = structure;
      this.#tables = tablesOf(structure);
    }
    if (isRedesigned === true) {
      this.#finalize();
      followStructure(this.#db, structure, this.#tables, new Date(this.now()));
    }
    const renamed = new Set<string>();
    for (const { record, rows, hash, group, swept, changes } of records) {
      const fields = this.#replaceRows(record, rows);
      this.#statement('INSERT OR REPLACE INTO _records VALUES (?, ?, ?, ?)').run([
        record,
        group,
        hash,
        swept,
      ]);
      for (const change of changes) {
        const from = 'from' in change ? change.from : undefined;
        if (from !== undefined) renamed.add(from);
        this.#log(change.type, record, from, change.type === 'changed' ? fields : undefined);
      }
    }
    for (const record of deleted) {
      this.#replaceRows(record, []);
      const { changes } = this.#statement('DELETE FROM _records WHERE record = ?').run([record]);
      if (changes > 0 && !renamed.has(record)) this.#log('deleted', record);
    }
    if (state !== undefined) this.#set('state', state);
  }

  #log(type: Change['type'], record: string, from?: string, fields?: readonly string[]): void {
    this.#statement('INSERT INTO _changes (at, type, record, was, fields) VALUES (?, ?, ?, ?, ?)').run([
      new Date(this.now()).toISOString(),
      type,
      record,
      from ?? null,
      fields === undefined ? null : JSON.stringify(fields),
    ]);
  }

  /** Writes the rows of a record. @returns the columns that differ from before */
  #replaceRows(record: string, rows: readonly RecordRow[]): readonly string[] {
    if (this.#structure === undefined) throw new TypeError('The structure is not known yet.');
    this.#statement('DELETE FROM _conversion_issues WHERE record = ?').run([record]);
    const differing = new Set<string>();
    for (const table of this.#tables) {
      const names = cellNames(table);
      const before = this.#rowsOf(table, record);
      for (const { key, cells, issues } of tableRowsOf(this.#structure, table, rows)) {
        const id = JSON.stringify(key);
        const old = before.get(id);
        before.delete(id);
        names.forEach((name, at) => {
          if ((old?.[at] ?? null) !== cells[at]) differing.add(name);
        });
        if (old === undefined || names.some((_, at) => old[at] !== cells[at]))
          this.#statement(upsertOf(table)).run([...key, ...cells]);
        const [event, instance] = placeOf(table, key);
        for (const { field, value } of issues)
          this.#statement('INSERT INTO _conversion_issues VALUES (?, ?, ?, ?, ?, ?)').run([
            ...[record, event, table.name],
            ...[instance, field, value],
          ]);
      }
      for (const [id, old] of before) {
        names.forEach((name, at) => old[at] !== null && differing.add(name));
        const where = table.keys.map(({ name }) => `${quoted(name)} = ?`).join(' AND ');
        this.#statement(`DELETE FROM ${quoted(table.name)} WHERE ${where}`).run(JSON.parse(id) as Cell[]);
      }
    }
    return [...differing];
  }

  /** Returns the cells of a record's rows by their key. */
  #rowsOf(table: Table, record: string): Map<string, readonly Cell[]> {
    const keys = table.keys.map(({ name }) => name);
    const names = cellNames(table);
    const sql = `SELECT ${[...keys, ...names].map(quoted).join(', ')} FROM ${quoted(table.name)} WHERE ${quoted(keys[0] ?? '')} = ?`;
    const rows = this.#statement(sql).all([record]) as Record<string, Cell>[];
    return new Map(
      rows.map((row) => [
        JSON.stringify(keys.map((name) => row[name])),
        names.map((name) => row[name] ?? null),
      ]),
    );
  }

  /** Compares the copy of one record, cell by cell. No rows stand for a record that does not exist. */
  compare(record: string, rows: readonly RecordRow[]): Difference[] {
    const structure = this.#structure;
    if (structure === undefined) throw new TypeError('The structure is not known yet.');
    return this.#tables.flatMap((table) => {
      const names = cellNames(table);
      const before = this.#rowsOf(table, record);
      const found = tableRowsOf(structure, table, rows).flatMap(({ key, cells }): Difference[] => {
        const old = before.get(JSON.stringify(key));
        before.delete(JSON.stringify(key));
        if (old === undefined) return [{ record, instrument: table.name }];
        return names.flatMap((column, at) =>
          old[at] === cells[at] ? [] : [{ record, instrument: table.name, column }],
        );
      });
      return [...found, ...[...before.keys()].map(() => ({ record, instrument: table.name }))];
    });
  }

  /** Puts what is committed in the place of the file. Call `reopen` before the next look. */
  publish(): void {
    this.#finalize();
    this.#db.close();
    const part = `${this.file}.part`;
    const handle = openSync(part, 'r');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(part, this.file);
  }

  reopen(): void {
    if (!this.#db.isOpen) this.#db = this.#prepare();
  }

  /** Closes the copy. What was committed and not published is gone on with by the next run. */
  close(): void {
    if (this.#db.isOpen) {
      this.#finalize();
      this.#db.close();
    }
    this.unlock();
  }

  #value<T>(name: string): T | undefined {
    const row = this.#statement('SELECT value FROM _sync WHERE name = ?').get([name]);
    return row === null ? undefined : (JSON.parse(`${row['value'] as string}`) as T);
  }

  #set(name: string, value: unknown): void {
    this.#statement('INSERT OR REPLACE INTO _sync VALUES (?, ?)').run([name, JSON.stringify(value)]);
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #finalize(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
  }
}

function placeOf({ keys }: Table, key: readonly (string | number)[]): [event: string, instance: number] {
  const at = (name: string): string | number | undefined => key[keys.findIndex((each) => each.name === name)];
  return [`${at('redcap_event_name') ?? ''}`, Number(at('redcap_repeat_instance') ?? 0)];
}

/** Keeps the columns of fields that were removed, which a replaced row would lose. */
function upsertOf(table: Table): string {
  const keys = table.keys.map(({ name }) => quoted(name));
  const names = cellNames(table).map(quoted);
  const values = [...keys, ...names].map(() => '?').join(', ');
  const updates = names.map((name) => `${name} = excluded.${name}`).join(', ');
  return `INSERT INTO ${quoted(table.name)} (${[...keys, ...names].join(', ')}) VALUES (${values}) ON CONFLICT (${keys.join(', ')}) DO ${updates === '' ? 'NOTHING' : `UPDATE SET ${updates}`}`;
}

const OWN_TABLES = `
CREATE TABLE IF NOT EXISTS _sync (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS _records (record TEXT PRIMARY KEY, data_access_group TEXT, hash TEXT, swept INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS _changes (seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT, type TEXT, record TEXT, was TEXT, fields TEXT);
CREATE TABLE IF NOT EXISTS _conversion_issues (record TEXT, redcap_event_name TEXT, instrument TEXT, redcap_repeat_instance INTEGER, field TEXT, value TEXT);
CREATE INDEX IF NOT EXISTS _conversion_issues_record ON _conversion_issues (record);
CREATE TABLE IF NOT EXISTS _codebook (column_name TEXT PRIMARY KEY, field TEXT, instrument TEXT, type TEXT, label TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS _choices (field TEXT, code TEXT, label TEXT, PRIMARY KEY (field, code)) WITHOUT ROWID;
`;
