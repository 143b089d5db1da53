import type { ProjectStructure } from '../dictionary/project-structure.js';
import { CopyStoppedError } from '../errors/caller-errors.js';
import { quoted, type Cell, type SqlColumn, type SqlDatabase } from './sql-database.js';
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

  /** @throws {CopyStoppedError} a table of somebody else has the name of an instrument */
  async follow(structure: ProjectStructure, tables: readonly Table[]): Promise<void> {
    const { db } = this;
    const own = await db.all('SELECT DISTINCT instrument FROM _codebook');
    const before = new Set(own.map(({ instrument }) => db.nameOf(`${instrument}`)));
    const wanted = new Set(tables.map(({ name }) => name));
    for (const name of [...before, ...wanted])
      await db.define(`DROP VIEW IF EXISTS ${quoted(viewOf(db, name))}`);
    const existing = new Set(await db.tables());
    for (const name of before) if (!wanted.has(name) && existing.has(name)) await this.#removeTable(name);
    for (const table of tables) {
      if (existing.has(table.name) && !before.has(table.name))
        throw new CopyStoppedError(
          `The table ${table.name} is not of this copy. Rename it, then run this again.`,
        );
      await this.#followTable(table);
    }
    await this.#writeCodebook(structure, tables);
    for (const table of tables) await this.#createView(table, wanted);
  }

  async #removeTable(name: string): Promise<void> {
    if (this.onRemoved === 'drop') return this.db.define(`DROP TABLE ${quoted(name)}`);
    const kept = this.#free(name, await this.db.tables());
    await this.db.define(`ALTER TABLE ${quoted(name)} RENAME TO ${quoted(kept)}`);
  }

  async #followTable(table: Table): Promise<void> {
    const { db } = this;
    const existing = await db.columns(table.name);
    const keys = existing.filter(({ isKey }) => isKey).map(({ name }) => name);
    const isOther = existing.length > 0 && keys.join() !== table.keys.map(({ name }) => name).join();
    if (isOther) await this.#removeTable(table.name);
    const wanted = cellColumns(table);
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

  async #writeCodebook({ missingDataCodes }: ProjectStructure, tables: readonly Table[]): Promise<void> {
    const columns = tables.flatMap((table) => table.columns);
    await this.#rewrite(
      '_codebook',
      ['column_name', 'field', 'instrument', 'type', 'label'],
      columns.map(({ name, field, instrument, type, label }) => [name, field, instrument, type, label]),
      ['column_name'],
    );
    const choices = columns.flatMap(({ name, choices }) =>
      choices.map(({ code, label }) => [name, code, label]),
    );
    const missing = [...missingDataCodes].map((code) => ['_missing', code, code]);
    // Of a code that is there twice, the last counts.
    const unique = new Map([...choices, ...missing].map((row) => [JSON.stringify(row.slice(0, 2)), row]));
    await this.#rewrite('_choices', ['field', 'code', 'label'], [...unique.values()], ['field', 'code']);
  }

  async #rewrite(
    table: string,
    names: readonly string[],
    rows: readonly (readonly Cell[])[],
    keys: readonly string[],
  ): Promise<void> {
    const columns = names.map((name): SqlColumn => ({ name, type: 'TEXT' }));
    await this.db.run(`DELETE FROM ${table}`, []);
    await this.db.insert({ table, columns, keys, rows });
  }

  /** A view with the labels in the place of the codes: `demographics_labels`. */
  async #createView(table: Table, taken: ReadonlySet<string>): Promise<void> {
    const name = viewOf(this.db, table.name);
    if (taken.has(name)) return;
    const shown = (column: TableColumn): string =>
      column.choices.length === 0 || column.type !== 'TEXT'
        ? quoted(column.name)
        : `coalesce((SELECT label FROM _choices WHERE field = '${column.name}' AND code = ${quoted(table.name)}.${quoted(column.name)}), ${quoted(column.name)}) AS ${quoted(column.name)}`;
    const columns = [...table.keys.map((key) => quoted(key.name)), ...table.columns.map(shown)];
    await this.db.define(
      `CREATE VIEW ${quoted(name)} AS SELECT ${columns.join(', ')} FROM ${quoted(table.name)}`,
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
