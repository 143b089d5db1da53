import { createHash, randomUUID } from 'node:crypto';
import type { ProjectStructure } from '../dictionary/project-structure.js';
import { CopyStoppedError } from '../errors/caller-errors.js';
import type { RecordRow } from '../gateways/redcap/crf-client.js';
import type { Change, ChangeStore, EngineState, FreshRecord, KnownRecord, Step } from './change-store.js';
import { StructureFollower, type OnRemoved } from './follow-structure.js';
import { quoted, type Cell, type SqlColumn, type SqlDatabase } from './sql-database.js';
import { cellColumns, tableRowsOf, tablesOf, type Table } from './tables.js';

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
  /** When the last look ended, as ISO 8601 in UTC. */
  readonly updatedAt: string;
  readonly records: number;
  readonly changes: number;
  readonly issues: number;
  readonly bytes: number;
}

export interface CopyOptions {
  readonly onRemoved?: OnRemoved | undefined;
  readonly now?: (() => number) | undefined;
}

/**
 * A project as tables of a database: one for each instrument, the changes, and the engine's own state, which is stored in
 * the same transaction.
 */
export class SqlCopy implements ChangeStore {
  readonly #onRemoved: OnRemoved;
  readonly #now: () => number;
  #structure: ProjectStructure | undefined;
  #tables: readonly Table[] = [];
  /** The tables that the step at hand has changed. */
  readonly #touched = new Set<string>();

  private constructor(
    readonly database: SqlDatabase,
    { onRemoved = 'keep', now = Date.now }: CopyOptions,
  ) {
    this.#onRemoved = onRemoved;
    this.#now = now;
  }

  /**
   * Goes on with a copy, or begins one in an empty database.
   *
   * @throws {CopyStoppedError} the database has tables of somebody else
   */
  static async in(database: SqlDatabase, options: CopyOptions = {}): Promise<SqlCopy> {
    const tables = await database.tables();
    if (!tables.includes('_sync') && tables.length > 0)
      throw new CopyStoppedError('The database has tables that are not of crf sync. Choose an empty one.');
    await database.transaction(async () => {
      for (const sql of ownTables(database)) await database.define(sql);
    });
    return new SqlCopy(database, options);
  }

  /**
   * Reads how current a copy is, and writes nothing.
   *
   * @throws {CopyStoppedError} the database is no such copy
   */
  static async statusOf(database: SqlDatabase): Promise<CopyStatus> {
    const one = async (sql: string): Promise<unknown> => Object.values((await database.all(sql))[0] ?? {})[0];
    const state = (await database.tables()).includes('_sync')
      ? await one("SELECT value FROM _sync WHERE name = 'state'")
      : undefined;
    if (typeof state !== 'string') throw new CopyStoppedError('There is no complete copy yet: run crf sync.');
    return {
      state: JSON.parse(state) as EngineState,
      updatedAt: `${(await one("SELECT value FROM _sync WHERE name = 'updated'")) as string}`,
      records: Number(await one('SELECT count(*) FROM _records')),
      changes: Number(await one('SELECT count(*) FROM _changes')),
      issues: Number(await one('SELECT count(*) FROM _conversion_issues')),
      bytes: await database.bytes(),
    };
  }

  async state(): Promise<EngineState | undefined> {
    const [row] = await this.database.all("SELECT value FROM _sync WHERE name = 'state'");
    return row === undefined ? undefined : (JSON.parse(`${row['value']}`) as EngineState);
  }

  /** The instruments that the copy is limited to; undefined for all. */
  async instruments(): Promise<readonly string[] | undefined> {
    const [row] = await this.database.all("SELECT value FROM _sync WHERE name = 'instruments'");
    return row === undefined ? undefined : (JSON.parse(`${row['value']}`) as string[]);
  }

  /** Remembers them for every later look. */
  limitTo(instruments: readonly string[]): Promise<void> {
    return this.#set([['instruments', JSON.stringify(instruments)]]);
  }

  #set(rows: readonly (readonly [name: string, value: string])[]): Promise<void> {
    return this.database.insert({ table: '_sync', columns: TEXTS(['name', 'value']), keys: ['name'], rows });
  }

  async known(records: readonly string[]): Promise<Map<string, KnownRecord>> {
    const rows = await this.database.all(
      `SELECT record, data_access_group, hash, swept FROM _records WHERE ${this.database.among('record')}`,
      [JSON.stringify(records)],
    );
    return new Map(
      rows.map(({ record, data_access_group, hash, swept }) => [
        `${record}`,
        { hash: `${hash}`, group: `${data_access_group}`, swept: Number(swept) },
      ]),
    );
  }

  async *ids(): AsyncGenerator<string> {
    const sql = 'SELECT record FROM _records WHERE record > ? ORDER BY record LIMIT 10000';
    for (let after = ''; ;) {
      const rows = await this.database.all(sql, [after]);
      for (const { record } of rows) yield `${record}`;
      if (rows.length < 10_000) return;
      after = `${rows.at(-1)?.['record']}`;
    }
  }

  /** Returns the changes after a position, oldest first, at most so many. */
  async changesAfter(seq: number, limit: number): Promise<StoredChange[]> {
    const sql = 'SELECT seq, at, type, record, was, fields FROM _changes WHERE seq > ? ORDER BY seq LIMIT ?';
    const rows = await this.database.all(sql, [seq, limit]);
    return rows.map(({ was, fields, ...rest }) => {
      const stored = {
        ...rest,
        ...(was !== null && { from: was }),
        ...(fields !== null && { fields: JSON.parse(`${fields}`) as string[] }),
      };
      // The other columns of the table are the properties of a change.
      return stored as unknown as StoredChange;
    });
  }

  /** The number of the last change; 0 before the first. */
  async lastSeq(): Promise<number> {
    const [row] = await this.database.all('SELECT max(seq) AS last FROM _changes');
    return Number(row?.['last'] ?? 0);
  }

  /** A name of this copy's history: positions of another copy mean something else. */
  async name(): Promise<string> {
    const key = (await this.state())?.key ?? '';
    return createHash('sha256').update(key).digest('base64url').slice(0, 12);
  }

  commit(step: Step): Promise<void> {
    return this.database.transaction(() => this.#write(step));
  }

  async #write({ structure, isRedesigned, records = [], deleted = [], state }: Step): Promise<void> {
    const { database } = this;
    if (structure !== this.#structure) {
      this.#structure = structure;
      this.#tables = tablesOf(structure, database);
    }
    const now = new Date(this.#now());
    this.#touched.clear();
    if (isRedesigned === true) {
      await new StructureFollower(database, this.#onRemoved, now).follow(structure, this.#tables);
      for (const name of ['_codebook', '_choices', ...this.#tables.map((each) => each.name)])
        this.#touched.add(name);
    }
    const changes = [...(await this.#writeRecords(records)), ...(await this.#delete(deleted, records))];
    if (changes.length > 0) this.#touched.add('_changes').add('_records');
    await database.insert({
      table: '_changes',
      columns: TEXTS(['at', 'type', 'record', 'was', 'fields']),
      keys: [],
      rows: changes.map(({ change: { type, record, ...rest }, fields }) => [
        now.toISOString(),
        type,
        record,
        'from' in rest ? rest.from : null,
        fields === undefined ? null : JSON.stringify(fields),
      ]),
    });
    const version = randomUUID();
    await this.#set([...this.#touched].map((name) => [`version ${name}`, version]));
    if (state !== undefined)
      await this.#set([
        ['state', JSON.stringify(state)],
        ['updated', now.toISOString()],
      ]);
  }

  async #writeRecords(
    records: readonly FreshRecord[],
  ): Promise<{ readonly change: Change; readonly fields?: readonly string[] | undefined }[]> {
    if (records.length === 0) return [];
    const fields = await this.#replaceRows(records);
    await this.database.insert({
      table: '_records',
      columns: [...TEXTS(['record', 'data_access_group', 'hash']), { name: 'swept', type: 'INTEGER' }],
      keys: ['record'],
      rows: records.map(({ record, group, hash, swept }) => [record, group, hash, swept]),
    });
    return records.flatMap(({ record, changes }) =>
      changes.map((change) => ({
        change,
        fields: change.type === 'changed' ? [...(fields.get(record) ?? [])] : undefined,
      })),
    );
  }

  /** @returns the deletions; a record that was renamed is none */
  async #delete(
    deleted: readonly string[],
    records: readonly FreshRecord[],
  ): Promise<{ readonly change: Change; readonly fields?: undefined }[]> {
    if (deleted.length === 0) return [];
    const { database } = this;
    const known = await this.known(deleted);
    const ids = [JSON.stringify(deleted)];
    const remove = async (table: string, column: string): Promise<void> => {
      const where = database.among(column);
      if ((await database.run(`DELETE FROM ${quoted(table)} WHERE ${where}`, ids)) > 0)
        this.#touched.add(table);
    };
    for (const { name, keys } of this.#tables) await remove(name, keys[0]?.name ?? '');
    for (const name of ['_conversion_issues', '_records']) await remove(name, 'record');
    const renamed = new Set(
      records.flatMap(({ changes }) => changes.flatMap((each) => ('from' in each ? [each.from] : []))),
    );
    return deleted
      .filter((record) => known.has(record) && !renamed.has(record))
      .map((record) => ({ change: { type: 'deleted', record } }));
  }

  /** Writes the rows of records. @returns the columns that differ from before, by record that is not new */
  async #replaceRows(records: readonly FreshRecord[]): Promise<Map<string, Set<string>>> {
    const { database } = this;
    const structure = this.#known;
    const old = records.filter(({ changes }) => !changes.some(({ type }) => NEW.has(type)));
    const oldIds = old.map(({ record }) => record);
    if (oldIds.length > 0)
      if (
        (await database.run(`DELETE FROM _conversion_issues WHERE ${database.among('record')}`, [
          JSON.stringify(oldIds),
        ])) > 0
      )
        this.#touched.add('_conversion_issues');
    const differing = new Map(oldIds.map((record) => [record, new Set<string>()]));
    const issues: Cell[][] = [];
    for (const table of this.#tables) {
      const columns = cellColumns(table);
      const before = await this.#rowsOf(table, oldIds);
      const rows: (readonly Cell[])[] = [];
      for (const { record, rows: exported } of records) {
        const differs = differing.get(record);
        const own = before.get(record);
        for (const { key, cells, issues: misfits } of tableRowsOf(structure, table, exported)) {
          const id = JSON.stringify(key);
          const was = own?.get(id);
          own?.delete(id);
          if (differs !== undefined)
            columns.forEach(({ name }, at) => {
              if ((was?.[at] ?? null) !== cells[at]) differs.add(name);
            });
          if (was === undefined || cells.some((cell, at) => was[at] !== cell)) rows.push([...key, ...cells]);
          const [event, instance] = placeOf(table, key);
          for (const { field, value } of misfits)
            issues.push([record, event, table.instrument, instance, field, value]);
        }
        for (const [id, was] of own ?? []) {
          columns.forEach(({ name }, at) => was[at] !== null && differs?.add(name));
          const where = table.keys.map(({ name }) => `${quoted(name)} = ?`).join(' AND ');
          await database.run(`DELETE FROM ${quoted(table.name)} WHERE ${where}`, JSON.parse(id) as Cell[]);
          this.#touched.add(table.name);
        }
      }
      if (rows.length > 0) this.#touched.add(table.name);
      await database.insert({
        table: table.name,
        columns: [...table.keys, ...columns],
        keys: table.keys.map(({ name }) => name),
        rows,
      });
    }
    if (issues.length > 0) this.#touched.add('_conversion_issues');
    await database.insert({ table: '_conversion_issues', columns: ISSUE_COLUMNS, keys: [], rows: issues });
    return differing;
  }

  get #known(): ProjectStructure {
    if (this.#structure === undefined) throw new TypeError('The structure is not known yet.');
    return this.#structure;
  }

  /** Returns the cells of the records' rows by record and key. */
  async #rowsOf(
    table: Table,
    records: readonly string[],
  ): Promise<Map<string, Map<string, readonly Cell[]>>> {
    const found = new Map(records.map((record) => [record, new Map<string, readonly Cell[]>()]));
    if (records.length === 0) return found;
    const keys = table.keys.map(({ name }) => name);
    const names = cellColumns(table).map(({ name }) => name);
    const rows = await this.database.all(
      `SELECT ${[...keys, ...names].map(quoted).join(', ')} FROM ${quoted(table.name)} WHERE ${this.database.among(keys[0] ?? '')}`,
      [JSON.stringify(records)],
    );
    for (const row of rows)
      found.get(`${row[keys[0] ?? '']}`)?.set(
        JSON.stringify(keys.map((name) => row[name])),
        names.map((name) => row[name] ?? null),
      );
    return found;
  }

  /** Compares the copy of some records, cell by cell. */
  async compare(records: ReadonlyMap<string, readonly RecordRow[]>): Promise<Difference[]> {
    const differences: Difference[] = [];
    for (const table of this.#tables) {
      const instrument = table.instrument;
      const columns = cellColumns(table);
      const before = await this.#rowsOf(table, [...records.keys()]);
      for (const [record, rows] of records) {
        const own = before.get(record);
        for (const { key, cells } of tableRowsOf(this.#known, table, rows)) {
          const id = JSON.stringify(key);
          const was = own?.get(id);
          own?.delete(id);
          if (was === undefined) differences.push({ record, instrument });
          else
            columns.forEach(({ name }, at) => {
              if (was[at] !== cells[at]) differences.push({ record, instrument, column: name });
            });
        }
        for (const _ of own ?? []) differences.push({ record, instrument });
      }
    }
    return differences;
  }
}

const NEW: ReadonlySet<Change['type']> = new Set(['created', 'renamed']);

const TEXTS = (names: readonly string[]): SqlColumn[] => names.map((name) => ({ name, type: 'TEXT' }));

const ISSUE_COLUMNS: readonly SqlColumn[] = [
  ...TEXTS(['record', 'redcap_event_name', 'instrument']),
  { name: 'redcap_repeat_instance', type: 'INTEGER' },
  ...TEXTS(['field', 'value']),
];

function placeOf({ keys }: Table, key: readonly (string | number)[]): [event: string, instance: number] {
  const at = (name: string): string | number | undefined => key[keys.findIndex((each) => each.name === name)];
  return [`${at('redcap_event_name') ?? ''}`, Number(at('redcap_repeat_instance') ?? 0)];
}

/** The tables that every copy has. */
function ownTables({ serial }: SqlDatabase): readonly string[] {
  return [
    'CREATE TABLE IF NOT EXISTS _sync (name TEXT PRIMARY KEY, value TEXT)',
    'CREATE TABLE IF NOT EXISTS _records (record TEXT PRIMARY KEY, data_access_group TEXT, hash TEXT, swept INTEGER)',
    `CREATE TABLE IF NOT EXISTS _changes (seq ${serial}, at TEXT, type TEXT, record TEXT, was TEXT, fields TEXT)`,
    'CREATE TABLE IF NOT EXISTS _conversion_issues (record TEXT, redcap_event_name TEXT, instrument TEXT, redcap_repeat_instance INTEGER, field TEXT, value TEXT)',
    'CREATE INDEX IF NOT EXISTS _conversion_issues_record ON _conversion_issues (record)',
    'CREATE TABLE IF NOT EXISTS _codebook (column_name TEXT PRIMARY KEY, field TEXT, instrument TEXT, type TEXT, label TEXT)',
    'CREATE TABLE IF NOT EXISTS _choices (field TEXT, code TEXT, label TEXT, PRIMARY KEY (field, code))',
  ];
}
