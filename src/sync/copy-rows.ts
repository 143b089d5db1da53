import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import type { RecordRow } from '../gateways/redcap/crf-client.js';
import type { Change, FreshRecord } from './change-store.js';
import { quoted, type Cell, type SqlColumn, type SqlDatabase } from './sql-database.js';
import { cellColumns, tableRowsOf, tablesOf, type Table } from './tables.js';

/** A cell in which the copy differs from REDCap. */
export interface Difference {
  readonly record: string;
  /** Undefined if the whole record is missing, or is too much. */
  readonly instrument?: string | undefined;
  readonly column?: string | undefined;
}

/** The rows of the records in the tables of the instruments, and the values that do not fit there. */
export class CopyRows {
  /** The tables that were changed; whoever remembers them clears it. */
  readonly touched = new Set<string>();
  #structure: ProjectStructure | undefined;
  #tables: readonly Table[] = [];

  constructor(private readonly database: SqlDatabase) {}

  /** Returns the tables of a structure, with which rows are read and written from now on. */
  follow(structure: ProjectStructure): readonly Table[] {
    if (structure !== this.#structure) {
      this.#structure = structure;
      this.#tables = tablesOf(structure, this.database);
    }
    return this.#tables;
  }

  /** Writes the rows of records. @returns the columns that differ from before, by record that is not new */
  async replace(records: readonly FreshRecord[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const old = records.filter(({ changes }) => !changes.some(({ type }) => NEW.has(type)));
    const oldIds = old.map(({ record }) => record);
    if (oldIds.length > 0) await this.#delete('_conversion_issues', 'record', oldIds);
    const differing = new Map(oldIds.map((record) => [record, new Set<string>()]));
    const issues: Cell[][] = [];
    for (const table of this.#tables) {
      const columns = cellColumns(table);
      const before = await this.#rowsOf(table, oldIds);
      const rows: Cell[][] = [];
      for (const { record, rows: exported } of records) {
        const differs = differing.get(record);
        const own = before.get(record);
        for (const { key, cells, issues: misfits } of this.#split(table, exported)) {
          const was = own === undefined ? undefined : taken(own, JSON.stringify(key));
          if (differs !== undefined)
            columns.forEach(({ name }, at) => (was?.[at] ?? null) !== cells[at] && differs.add(name));
          if (was === undefined || cells.some((cell, at) => was[at] !== cell)) rows.push([...key, ...cells]);
          if (misfits.length === 0) continue;
          const [event, instance] = placeOf(table, key);
          for (const { field, value } of misfits)
            issues.push([record, event, table.instrument, instance, field, value]);
        }
        for (const [id, was] of own ?? []) {
          columns.forEach(({ name }, at) => was[at] !== null && differs?.add(name));
          const where = table.keys.map(({ name }) => `${quoted(name)} = ?`).join(' AND ');
          await this.database.run(
            `DELETE FROM ${quoted(table.name)} WHERE ${where}`,
            JSON.parse(id) as Cell[],
          );
          this.touched.add(table.name);
        }
      }
      const keys = table.keys.map(({ name }) => name);
      await this.#insert(table.name, [...table.keys, ...columns], keys, rows);
    }
    await this.#insert('_conversion_issues', ISSUE_COLUMNS, [], issues);
    return differing;
  }

  /** Deletes the rows of records. */
  async delete(records: readonly string[]): Promise<void> {
    for (const { name, keys } of this.#tables) await this.#delete(name, keys[0]?.name ?? '', records);
    await this.#delete('_conversion_issues', 'record', records);
  }

  /** Compares the rows of some records, cell by cell. */
  async compare(records: ReadonlyMap<string, readonly RecordRow[]>): Promise<Difference[]> {
    const differences: Difference[] = [];
    for (const table of this.#tables) {
      const instrument = table.instrument;
      const columns = cellColumns(table);
      const before = await this.#rowsOf(table, [...records.keys()]);
      for (const [record, rows] of records) {
        const own = before.get(record) ?? new Map<string, readonly Cell[]>();
        for (const { key, cells } of this.#split(table, rows)) {
          const was = taken(own, JSON.stringify(key));
          if (was === undefined) differences.push({ record, instrument });
          else
            columns.forEach(({ name }, at) => {
              if (was[at] !== cells[at]) differences.push({ record, instrument, column: name });
            });
        }
        for (const _ of own) differences.push({ record, instrument });
      }
    }
    return differences;
  }

  #split(table: Table, rows: readonly RecordRow[]): ReturnType<typeof tableRowsOf> {
    if (this.#structure === undefined) throw new TypeError('The structure is not known yet.');
    return tableRowsOf(this.#structure, table, rows);
  }

  async #insert(
    table: string,
    columns: readonly SqlColumn[],
    keys: readonly string[],
    rows: readonly (readonly Cell[])[],
  ): Promise<void> {
    if (rows.length === 0) return;
    this.touched.add(table);
    await this.database.insert({ table, columns, keys, rows });
  }

  async #delete(table: string, column: string, records: readonly string[]): Promise<void> {
    const sql = `DELETE FROM ${quoted(table)} WHERE ${this.database.among(column)}`;
    if ((await this.database.run(sql, [JSON.stringify(records)])) > 0) this.touched.add(table);
  }

  /** Returns the cells of the records' rows by record and key. */
  async #rowsOf(
    table: Table,
    records: readonly string[],
  ): Promise<ReadonlyMap<string, Map<string, readonly Cell[]>>> {
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
}

const NEW: ReadonlySet<Change['type']> = new Set(['created', 'renamed']);

const ISSUE_COLUMNS: readonly SqlColumn[] = [
  { name: 'record', type: 'TEXT' },
  { name: 'redcap_event_name', type: 'TEXT' },
  { name: 'instrument', type: 'TEXT' },
  { name: 'redcap_repeat_instance', type: 'INTEGER' },
  { name: 'field', type: 'TEXT' },
  { name: 'value', type: 'TEXT' },
];

/** Takes an entry out of a map. */
function taken<T>(map: Map<string, T>, key: string): T | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}

function placeOf({ keys }: Table, key: readonly (string | number)[]): [event: string, instance: number] {
  const at = (name: string): string | number | undefined => key[keys.findIndex((each) => each.name === name)];
  return [`${at('redcap_event_name') ?? ''}`, Number(at('redcap_repeat_instance') ?? 0)];
}
