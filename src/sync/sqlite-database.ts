import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import type { Database, Statement } from 'node-sqlite3-wasm';
import { CopyStoppedError } from '../domain/errors/caller-errors.js';
import { lockFile, type HeldLock } from './lock-file.js';
import {
  onConflict,
  quoted,
  type Cell,
  type ColumnType,
  type Insertion,
  type SqlColumn,
  type SqlDatabase,
} from './sql-database.js';

/** A log ahead of the file, which a commit does not have to wait for twice. */
const PRAGMAS = `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
PRAGMA foreign_keys = OFF`;

/**
 * An SQLite file. SQLite's WebAssembly build has locks that other programs do not see, so nothing is ever written to the
 * file itself: work is done in `FILE.part`, which `publish` renames. Readers always see a complete file, and what a
 * killed run has left behind is gone on with.
 */
export class SqliteDatabase implements SqlDatabase {
  readonly serial = 'INTEGER PRIMARY KEY AUTOINCREMENT';
  #db: Database | undefined;
  readonly #statements = new Map<string, Statement>();

  private constructor(
    private readonly open: (path: string, options: { readonly readOnly: boolean }) => Database,
    private readonly file: string,
    /** Undefined for reading the published file only. */
    private readonly lock: HeldLock | undefined,
    private readonly beforePublishing: (db: SqlDatabase) => Promise<void>,
  ) {}

  /**
   * @param beforePublishing writes what else is to be published
   * @throws {CopyStoppedError} another process is writing it
   */
  static async open(
    file: string,
    mode: 'read' | 'write',
    beforePublishing: (db: SqlDatabase) => Promise<void> = () => Promise.resolve(),
  ): Promise<SqliteDatabase> {
    const { default: sqlite } = await import('node-sqlite3-wasm');
    const lock = mode === 'write' ? await lockFile(`${file}.lock`) : undefined;
    const connect = (path: string, options: { readonly readOnly: boolean }): Database =>
      new sqlite.Database(path, options);
    return new SqliteDatabase(connect, file, lock, beforePublishing);
  }

  /** Opens the file, or `FILE.part`: that of a killed run, which is newer, or a copy of the file. */
  get #opened(): Database {
    if (this.#db !== undefined) return this.#db;
    if (this.lock === undefined) return (this.#db = this.#openPublished());
    const part = `${this.file}.part`;
    // The lock of the WebAssembly build is a folder, which a killed process leaves behind; ours shows that it is dead.
    rmSync(`${part}.lock`, { recursive: true, force: true });
    // A journal is only written when the mode of the file changes, which a killed process has done or not: the change is
    // one write. SQLite would bring back with it, in exclusive mode and much later, a first page that is no longer true.
    rmSync(`${part}-journal`, { force: true });
    // Through a link, a file elsewhere would be written: no run leaves one.
    for (const path of [part, `${part}-wal`])
      if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(path);
    if (!existsSync(part)) rmSync(`${part}-wal`, { force: true });
    rmSync(`${part}.new`, { force: true });
    if (!existsSync(part) && existsSync(this.file)) {
      copyFileSync(this.file, `${part}.new`, constants.COPYFILE_FICLONE);
      flush(`${part}.new`);
      renameSync(`${part}.new`, part);
    }
    this.#db = this.open(part, { readOnly: false });
    this.#guarded(() => this.#db?.exec(PRAGMAS));
    return this.#db;
  }

  /**
   * Opens the published file under a name of its own, which it has no longer when it is open: the lock of the WebAssembly
   * build is a folder beside the name, so that a reader would wait for the writer and for every other reader.
   */
  #openPublished(): Database {
    const name = `${this.file}.${randomBytes(4).toString('hex')}`;
    try {
      linkSync(this.file, name);
    } catch {
      return this.open(this.file, { readOnly: true }); // no hard link is possible here
    }
    try {
      return this.open(name, { readOnly: true });
    } finally {
      rmSync(name, { force: true });
    }
  }

  among(column: string): string {
    return `${quoted(column)} IN (SELECT value FROM json_each(?))`;
  }

  typeOf(type: ColumnType): string {
    return type;
  }

  nameOf(name: string): string {
    return name;
  }

  toCell(cell: Cell): Cell {
    return cell;
  }

  all(sql: string, params: readonly Cell[] = []): Promise<Record<string, Cell>[]> {
    return this.#async(() => this.#statement(sql).all([...params]) as Record<string, Cell>[]);
  }

  run(sql: string, params: readonly Cell[]): Promise<number> {
    return this.#async(() => this.#statement(sql).run([...params]).changes);
  }

  define(sql: string): Promise<void> {
    return this.#async(() => {
      this.#finalize();
      this.#opened.exec(sql);
    });
  }

  insert(insertion: Insertion): Promise<void> {
    const names = insertion.columns.map(({ name }) => quoted(name)).join(', ');
    const values = insertion.columns.map(() => '?').join(', ');
    const sql = `INSERT INTO ${quoted(insertion.table)} (${names}) VALUES (${values})${onConflict(insertion)}`;
    return this.#async(() => {
      for (const row of insertion.rows) this.#statement(sql).run(row as Cell[]);
    });
  }

  async transaction(work: () => Promise<void>): Promise<void> {
    this.#guarded(() => this.#opened.exec('BEGIN IMMEDIATE'));
    try {
      await work();
      this.lock?.assertHeld();
      this.#guarded(() => this.#opened.exec('COMMIT'));
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** What failed may have ended the transaction. */
  #rollBack(): void {
    if (this.#db?.inTransaction === true) this.#guarded(() => this.#db?.exec('ROLLBACK'));
  }

  async tables(): Promise<string[]> {
    const rows = await this.all(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'",
    );
    return rows.map(({ name }) => `${name}`);
  }

  async columns(table: string): Promise<(SqlColumn & { readonly isKey: boolean })[]> {
    const rows = await this.all(`SELECT name, type, pk FROM pragma_table_info(?)`, [table]);
    return rows.map(({ name, type, pk }) => ({
      name: `${name}`,
      type: type as ColumnType,
      isKey: Number(pk) > 0,
    }));
  }

  bytes(): Promise<number> {
    return this.#async(() => statSync(this.file).size);
  }

  async publish(): Promise<void> {
    await this.beforePublishing(this);
    await this.#async(() => {
      this.lock?.assertHeld();
      // The file that is published is to be one that every program can read, without a log beside it.
      this.#finalize();
      this.#opened.exec('PRAGMA journal_mode = DELETE');
      this.#shut();
      const part = `${this.file}.part`;
      flush(part);
      renameSync(part, this.file);
    });
  }

  close(): Promise<void> {
    return this.#async(() => {
      try {
        this.#shut();
      } finally {
        this.lock?.giveBack();
      }
    });
  }

  #shut(): void {
    this.#finalize();
    this.#db?.close();
    this.#db = undefined;
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#opened.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #finalize(): void {
    const statements = [...this.#statements.values()];
    this.#statements.clear();
    for (const statement of statements)
      try {
        statement.finalize();
      } catch {
        // It is finalized, and reports once more what it failed with: that has been thrown already.
      }
  }

  /** SQLite itself does not wait: its answers are promises because those of other databases are. */
  async #async<T>(work: () => T): Promise<T> {
    await Promise.resolve();
    return this.#guarded(work);
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof Error && error.name === 'SQLite3Error' ? this.#stopped(error) : error;
    }
  }

  /** SQLite's messages name tables and columns, never values. */
  #stopped(error: Error): CopyStoppedError {
    const message = error.message.includes('not a database')
      ? 'The file is not an SQLite database that crf sync has written.'
      : `SQLite failed: ${error.message}. Check the space on the disk, then run this again. If it fails again, delete the copy: the next run makes a new one.`;
    return new CopyStoppedError(message, { cause: error });
  }
}

/** Sees to it that a file is whole under the name that it gets next, even if the machine loses its power. */
function flush(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
