import type { Database } from 'node-sqlite3-wasm';
import type { ProjectStructure } from '../dictionary/project-structure.js';
import type { Table, TableColumn } from './sqlite-tables.js';

/** Returns a name as an identifier of SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

interface Existing {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
}

/**
 * Lets the tables follow the structure of a project: a new field is a new column; a field that was removed, or whose type
 * has changed, keeps its values under a dated name, as does an instrument whose key has changed.
 */
export function followStructure(
  db: Database,
  structure: ProjectStructure,
  tables: readonly Table[],
  today: Date,
): void {
  const date = today.toISOString().slice(0, 10).replaceAll('-', '');
  const views = names(db, 'view');
  for (const view of views) db.exec(`DROP VIEW ${quoted(view)}`);
  const wanted = new Set(tables.map(({ name }) => name));
  for (const name of names(db, 'table'))
    if (!name.startsWith('_') && !wanted.has(name) && !name.includes('__removed_'))
      db.exec(
        `ALTER TABLE ${quoted(name)} RENAME TO ${quoted(free(`${name}__removed_${date}`, names(db, 'table')))}`,
      );
  for (const table of tables) followTable(db, table, date);
  writeCodebook(db, structure, tables);
  for (const table of tables) createView(db, table, wanted);
}

function followTable(db: Database, table: Table, date: string): void {
  const existing = columnsOf(db, table.name);
  const keys = existing.filter(({ isKey }) => isKey).map(({ name }) => name);
  const isOther = existing.length > 0 && keys.join() !== table.keys.map(({ name }) => name).join();
  if (isOther) {
    const name = free(`${table.name}__removed_${date}`, names(db, 'table'));
    db.exec(`ALTER TABLE ${quoted(table.name)} RENAME TO ${quoted(name)}`);
  }
  const wanted = table.columns.flatMap(({ name, type, missing }) =>
    missing === undefined
      ? [{ name, type }]
      : [
          { name, type },
          { name: missing, type: 'TEXT' },
        ],
  );
  if (existing.length === 0 || isOther) {
    const columns = [
      ...table.keys.map(({ name, type }) => `${quoted(name)} ${type} NOT NULL`),
      ...wanted.map(({ name, type }) => `${quoted(name)} ${type}`),
      `PRIMARY KEY (${table.keys.map(({ name }) => quoted(name)).join(', ')})`,
    ];
    db.exec(`CREATE TABLE ${quoted(table.name)} (${columns.join(', ')})`);
    return;
  }
  const alter = `ALTER TABLE ${quoted(table.name)}`;
  for (const { name, type, isKey } of existing) {
    if (isKey || name.includes('__removed_')) continue;
    if (wanted.some((column) => column.name === name && column.type === type)) continue;
    const kept = free(
      `${name}__removed_${date}`,
      columnsOf(db, table.name).map((column) => column.name),
    );
    db.exec(`${alter} RENAME COLUMN ${quoted(name)} TO ${quoted(kept)}`);
  }
  const now = new Set(columnsOf(db, table.name).map(({ name }) => name));
  for (const { name, type } of wanted)
    if (!now.has(name)) db.exec(`${alter} ADD COLUMN ${quoted(name)} ${type}`);
}

function writeCodebook(db: Database, { missingDataCodes }: ProjectStructure, tables: readonly Table[]): void {
  db.exec('DELETE FROM _codebook; DELETE FROM _choices');
  for (const { columns } of tables) {
    for (const { name, field, instrument, type, label, choices } of columns) {
      db.run('INSERT OR REPLACE INTO _codebook VALUES (?, ?, ?, ?, ?)', [
        name,
        field,
        instrument,
        type,
        label,
      ]);
      for (const choice of choices)
        db.run('INSERT OR REPLACE INTO _choices VALUES (?, ?, ?)', [name, choice.code, choice.label]);
    }
  }
  for (const code of missingDataCodes)
    db.run('INSERT OR REPLACE INTO _choices VALUES (?, ?, ?)', ['_missing', code, code]);
}

/** A view with the labels in the place of the codes: `demographics_labels`. */
function createView(db: Database, table: Table, taken: ReadonlySet<string>): void {
  const name = `${table.name}_labels`;
  if (taken.has(name)) return;
  const shown = (column: TableColumn): string =>
    column.choices.length === 0 || column.type !== 'TEXT'
      ? quoted(column.name)
      : `coalesce((SELECT label FROM _choices WHERE field = '${column.name}' AND code = ${quoted(table.name)}.${quoted(column.name)}), ${quoted(column.name)}) AS ${quoted(column.name)}`;
  const columns = [...table.keys.map((key) => quoted(key.name)), ...table.columns.map(shown)];
  db.exec(`CREATE VIEW ${quoted(name)} AS SELECT ${columns.join(', ')} FROM ${quoted(table.name)}`);
}

function names(db: Database, type: 'table' | 'view'): string[] {
  return db
    .all("SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite%'", [type])
    .map((row) => `${row['name'] as string}`);
}

function columnsOf(db: Database, table: string): Existing[] {
  return db.all(`PRAGMA table_info(${quoted(table)})`).map((row) => {
    const { name, type, pk } = row as Record<string, string | number>;
    return { name: `${name}`, type: `${type}`, isKey: Number(pk) > 0 };
  });
}

/** A name that nothing has yet: a field may be removed twice on one day. */
function free(name: string, taken: readonly string[]): string {
  let found = name;
  for (let at = 2; taken.includes(found); at++) found = `${name}_${at}`;
  return found;
}
