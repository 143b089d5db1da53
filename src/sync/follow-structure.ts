import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { CopyStoppedError } from '../domain/errors/caller-errors.js';
import type { ProjectLists } from './change-store.js';
import { quoted, type Cell, type ColumnType, type DefinedTable, type SqlDatabase } from './sql-database.js';
import { cellColumns, type Table, type TableColumn } from './tables.js';

/** What becomes of a column or a table that the project no longer has. */
export type OnRemoved = 'keep' | 'drop';

/**
 * Lets the tables of a copy follow the structure of a project: a new field is a new column; a field that was removed, or
 * whose type has changed, keeps its values under a dated name, or is dropped, as is an instrument whose key has changed.
 */
export class StructureFollower {
  readonly #date: string;

  constructor(
    private readonly db: SqlDatabase,
    private readonly onRemoved: OnRemoved,
    today: Date,
  ) {
    this.#date = today.toISOString().slice(0, 10).replaceAll('-', '');
  }

  /**
   * @returns the names of the tables, all of which may have changed
   * @throws {CopyStoppedError} a table of somebody else has the name of an instrument
   */
  async follow(
    structure: ProjectStructure,
    lists: ProjectLists,
    tables: readonly Table[],
  ): Promise<readonly string[]> {
    const { db } = this;
    const existing = new Set(await db.tables());
    const own = existing.has('_codebook') ? await db.all('SELECT DISTINCT instrument FROM _codebook') : [];
    const before = new Set(own.map(({ instrument }) => db.nameOf(`${instrument}`)));
    const wanted = new Set(tables.map(({ name }) => name));
    for (const name of [...before, ...wanted])
      await db.define(`DROP VIEW IF EXISTS ${quoted(viewOf(db, name))}`);
    for (const name of before) if (!wanted.has(name) && existing.has(name)) await this.#removeTable(name);
    for (const table of tables) {
      if (existing.has(table.name) && !before.has(table.name))
        throw new CopyStoppedError(
          `The table ${table.name} is not of this copy. Rename it, then run this again.`,
        );
      await this.#followTable({ ...table, columns: cellColumns(table) });
    }
    const filled = filledLists(structure, lists, tables);
    for (const { rows, ...table } of filled) {
      await this.#followTable(table);
      await db.run(`DELETE FROM ${table.name}`, []);
      const keys = table.keys.map(({ name }) => name);
      await db.insert({ table: table.name, columns: [...table.keys, ...table.columns], keys, rows });
    }
    const hasArms = new Set(structure.events.map(({ arm }) => arm)).size > 1;
    for (const table of tables) await this.#createView(table, { hasArms, taken: wanted });
    return [...filled, ...tables].map(({ name }) => name);
  }

  async #removeTable(name: string): Promise<void> {
    if (this.onRemoved === 'drop') return this.db.define(`DROP TABLE ${quoted(name)}`);
    const kept = this.#free(name, await this.db.tables());
    await this.db.define(`ALTER TABLE ${quoted(name)} RENAME TO ${quoted(kept)}`);
  }

  async #followTable(table: DefinedTable): Promise<void> {
    const { db } = this;
    const existing = await db.columns(table.name);
    const keys = existing.filter(({ isKey }) => isKey).map(({ name }) => name);
    const isOther = existing.length > 0 && keys.join() !== table.keys.map(({ name }) => name).join();
    if (isOther) await this.#removeTable(table.name);
    const wanted = table.columns;
    if (existing.length === 0 || isOther) {
      const columns = [
        ...table.keys.map(({ name, type }) => `${quoted(name)} ${db.typeOf(type)} NOT NULL`),
        ...wanted.map(({ name, type }) => `${quoted(name)} ${db.typeOf(type)}`),
        `PRIMARY KEY (${table.keys.map(({ name }) => quoted(name)).join(', ')})`,
      ];
      return db.define(`CREATE TABLE ${quoted(table.name)} (${columns.join(', ')})`);
    }
    const alter = `ALTER TABLE ${quoted(table.name)}`;
    const names = existing.map(({ name }) => name);
    for (const { name, type, isKey } of existing) {
      if (isKey || name.includes('__removed_')) continue;
      if (wanted.some((column) => column.name === name && column.type === type)) continue;
      const kept = this.#free(name, names);
      names.splice(names.indexOf(name), 1);
      if (this.onRemoved === 'keep') names.push(kept);
      await db.define(
        this.onRemoved === 'drop'
          ? `${alter} DROP COLUMN ${quoted(name)}`
          : `${alter} RENAME COLUMN ${quoted(name)} TO ${quoted(kept)}`,
      );
    }
    for (const { name, type } of wanted)
      if (!names.includes(name)) await db.define(`${alter} ADD COLUMN ${quoted(name)} ${db.typeOf(type)}`);
  }

  /** A view with labels in the place of codes and events: `demographics_labels`. */
  async #createView(
    table: Table,
    { hasArms, taken }: { readonly hasArms: boolean; readonly taken: ReadonlySet<string> },
  ): Promise<void> {
    const name = viewOf(this.db, table.name);
    if (taken.has(name)) return;
    const keys = table.keys.map(({ name: key }) =>
      key === 'redcap_event_name' ? eventLabel(table, hasArms) : quoted(key),
    );
    const cells = table.columns.flatMap((column) => [
      labelOf(table, column),
      ...(column.missing === undefined ? [] : [quoted(column.missing)]),
    ]);
    await this.db.define(
      `CREATE VIEW ${quoted(name)} AS SELECT ${[...keys, ...cells].join(', ')} FROM ${quoted(table.name)}`,
    );
  }

  /** A dated name that nothing has yet: a field may be removed twice on one day. */
  #free(name: string, taken: readonly string[]): string {
    const nameOf = (at: number): string =>
      this.db.nameOf(`${name}__removed_${this.#date}${at === 1 ? '' : `_${at}`}`);
    let at = 1;
    while (taken.includes(nameOf(at))) at += 1;
    return nameOf(at);
  }
}

function viewOf(db: SqlDatabase, table: string): string {
  return db.nameOf(`${table}_labels`);
}

function labelOf(table: Table, { name, type, choices }: TableColumn): string {
  const cell = `${quoted(table.name)}.${quoted(name)}`;
  if (choices.length === 0) return quoted(name);
  if (type === 'BOOLEAN') {
    const labelFor = (code: string): string => choices.find((choice) => choice.code === code)?.label ?? code;
    return `CASE WHEN ${cell} THEN '${labelFor('1')}' WHEN NOT ${cell} THEN '${labelFor('0')}' END AS ${quoted(name)}`;
  }
  return `coalesce((SELECT label FROM _choices WHERE field = '${name}' AND code = ${cell}), ${cell}) AS ${quoted(name)}`;
}

/** As REDCap's exports of labels have it: if several arms have events, with the arm. */
function eventLabel({ name }: Table, hasArms: boolean): string {
  const cell = `${quoted(name)}.redcap_event_name`;
  const label = hasArms
    ? `_events.label || ' (Arm ' || arm_number || ': ' || coalesce((SELECT label FROM _arms WHERE _arms.arm_number = _events.arm_number), '') || ')'`
    : 'label';
  return `coalesce((SELECT ${label} FROM _events WHERE _events.redcap_event_name = ${cell}), ${cell}) AS redcap_event_name`;
}

/** A table with all of its rows. */
interface FilledTable extends DefinedTable {
  readonly rows: readonly (readonly Cell[])[];
}

/** Returns what a copy has besides rows of records: what the names and codes mean, and their order. */
function filledLists(
  { events, missingDataCodes }: ProjectStructure,
  { arms, instruments, groups }: ProjectLists,
  tables: readonly Table[],
): readonly FilledTable[] {
  const columns = tables.flatMap((table) => table.columns);
  const choices = columns.flatMap(({ name, choices }) =>
    choices.map(({ code, label }) => [name, code, label]),
  );
  const missing = [...missingDataCodes].map((code) => ['_missing', code, code]);
  // Of a code that is there twice, the last counts.
  const unique = new Map([...choices, ...missing].map((row) => [JSON.stringify(row.slice(0, 2)), row]));
  return [
    filled(
      '_codebook',
      ['column_name'],
      ['field', 'instrument', 'type', 'label', 'section', 'branching', 'validation', 'minimum', 'maximum'],
      columns.map(({ name, field, instrument, type, label }) => [
        name,
        field?.name ?? name,
        instrument,
        type,
        label,
        field?.sectionHeader || null,
        field?.branchingLogic || null,
        field?.validationType || null,
        field?.validationMin || null,
        field?.validationMax || null,
      ]),
    ),
    filled('_choices', ['field', 'code'], ['label'], [...unique.values()]),
    filled(
      '_arms',
      ['arm_number'],
      ['label'],
      arms.map(({ number, name }) => [number, name]),
    ),
    filled(
      '_events',
      ['redcap_event_name'],
      ['label', 'arm_number'],
      events.map(({ uniqueName, label, arm }) => [uniqueName, label, arm]),
    ),
    filled(
      '_instruments',
      ['instrument'],
      ['label'],
      instruments.map(({ name, label }) => [name, label]),
    ),
    filled(
      '_dags',
      ['data_access_group'],
      ['label'],
      (groups ?? []).map(({ uniqueName, name }) => [uniqueName, name]),
    ),
  ];
}

/** The position of each row, from 1, is its last column. */
function filled(
  name: string,
  keys: readonly string[],
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): FilledTable {
  const toColumn = (column: string): { readonly name: string; readonly type: ColumnType } => ({
    name: column,
    type: column === 'arm_number' || column === 'position' ? 'INTEGER' : 'TEXT',
  });
  return {
    name,
    keys: keys.map(toColumn),
    columns: [...columns, 'position'].map(toColumn),
    rows: rows.map((row, at) => [...row, at + 1]),
  };
}
