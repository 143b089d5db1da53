import { createHash, randomUUID } from 'node:crypto';
import { CopyStoppedError } from '../domain/errors/caller-errors.js';
import type { Change, ChangeStore, EngineState, FreshRecord, KnownRecord, Step } from './change-store.js';
import { CopyRows } from './copy-rows.js';
import { StructureFollower, type OnRemoved } from './follow-structure.js';
import type { SqlColumn, SqlDatabase } from './sql-database.js';

/** A change as it stands in the copy. */
export type StoredChange = Change & {
  readonly seq: number;
  /** When it was found, as ISO 8601 in UTC. */
  readonly at: string;
  /** The columns that differ. */
  readonly fields?: readonly string[];
};

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
  readonly rows: CopyRows;

  private constructor(
    readonly database: SqlDatabase,
    { onRemoved = 'keep', now = Date.now }: CopyOptions,
  ) {
    this.rows = new CopyRows(database);
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

  async state(): Promise<EngineState | undefined> {
    const state = await this.#get('state');
    return state === undefined ? undefined : (JSON.parse(state) as EngineState);
  }

  /** The instruments that the copy is limited to; undefined for all. */
  async instruments(): Promise<readonly string[] | undefined> {
    const instruments = await this.#get('instruments');
    return instruments === undefined ? undefined : (JSON.parse(instruments) as string[]);
  }

  /** Remembers them for every later look. */
  limitTo(instruments: readonly string[]): Promise<void> {
    return this.#set([['instruments', JSON.stringify(instruments)]]);
  }

  /** Whose view of the project the copy is; undefined for all of it. */
  view(): Promise<string | undefined> {
    return this.#get('view');
  }

  /** Remembers it for every later look. */
  showOnly(view: string): Promise<void> {
    return this.#set([['view', view]]);
  }

  async #get(name: string): Promise<string | undefined> {
    const [row] = await this.database.all('SELECT value FROM _sync WHERE name = ?', [name]);
    return row === undefined ? undefined : `${row['value']}`;
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

  async *all(): AsyncGenerator<{ record: string; group: string; swept: number }> {
    const sql =
      'SELECT record, data_access_group, swept FROM _records WHERE record > ? ORDER BY record LIMIT 10000';
    for (let after = ''; ;) {
      const rows = await this.database.all(sql, [after]);
      for (const { record, data_access_group, swept } of rows)
        yield { record: `${record}`, group: `${data_access_group}`, swept: Number(swept) };
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

  /**
   * A name of this copy's history: positions of another copy mean something else. It begins with no hyphen, which a
   * command line would take for an option.
   */
  async name(): Promise<string> {
    const key = (await this.state())?.key ?? '';
    return createHash('sha256').update(key).digest('hex').slice(0, 12);
  }

  commit(step: Step): Promise<void> {
    return this.database.transaction(() => this.#write(step));
  }

  async #write({ structure, redesigned, records = [], deleted = [], state }: Step): Promise<void> {
    const { database } = this;
    const tables = this.rows.follow(structure);
    const now = new Date(this.#now());
    const { touched } = this.rows;
    touched.clear();
    if (redesigned !== undefined) {
      const follower = new StructureFollower(database, this.#onRemoved, now);
      for (const name of await follower.follow(structure, redesigned, tables)) touched.add(name);
    }
    const changes = [...(await this.#writeRecords(records)), ...(await this.#delete(deleted, records))];
    if (changes.length > 0) touched.add('_changes').add('_records');
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
    await this.#set([...touched].map((name) => [`version ${name}`, version]));
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
    const fields = await this.rows.replace(records);
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
    await this.rows.delete(deleted);
    await database.run(`DELETE FROM _records WHERE ${database.among('record')}`, [JSON.stringify(deleted)]);
    const renamed = new Set(
      records.flatMap(({ changes }) => changes.flatMap((each) => ('from' in each ? [each.from] : []))),
    );
    return deleted
      .filter((record) => known.has(record) && !renamed.has(record))
      .map((record) => ({ change: { type: 'deleted', record } }));
  }
}

const TEXTS = (names: readonly string[]): SqlColumn[] => names.map((name) => ({ name, type: 'TEXT' }));

/** The tables that a copy has before it knows the project. */
function ownTables({ serial }: SqlDatabase): readonly string[] {
  return [
    'CREATE TABLE IF NOT EXISTS _sync (name TEXT PRIMARY KEY, value TEXT)',
    'CREATE TABLE IF NOT EXISTS _records (record TEXT PRIMARY KEY, data_access_group TEXT, hash TEXT, swept INTEGER)',
    `CREATE TABLE IF NOT EXISTS _changes (seq ${serial}, at TEXT, type TEXT, record TEXT, was TEXT, fields TEXT)`,
    'CREATE TABLE IF NOT EXISTS _conversion_issues (record TEXT, redcap_event_name TEXT, instrument TEXT, redcap_repeat_instance INTEGER, field TEXT, value TEXT)',
    'CREATE INDEX IF NOT EXISTS _conversion_issues_record ON _conversion_issues (record)',
  ];
}
