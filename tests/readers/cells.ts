import sqlite from 'node-sqlite3-wasm';
import type { ColumnType } from '../../src/sync/sql-database.js';

/** A table as a program has read it: every cell as text, or null. */
export interface ReadTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export type ReadTables = ReadonlyMap<string, ReadTable>;

/** A table as it has to be read. */
export interface ExpectedTable extends ReadTable {
  readonly types: readonly ColumnType[];
  readonly keys: number;
}

/** Reads the tables of instruments of an SQLite copy, with which all others are compared. */
export function expectedTables(file: string): ReadonlyMap<string, ExpectedTable> {
  const db = new sqlite.Database(file, { readOnly: true });
  try {
    const names = db.all(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 1) <> '_' AND name NOT LIKE 'sqlite%'",
    );
    return new Map(names.map((row) => [row['name'] as string, tableOf(db, row['name'] as string)]));
  } finally {
    db.close();
  }
}

function tableOf(db: InstanceType<typeof sqlite.Database>, name: string): ExpectedTable {
  const columns = db.all('SELECT name, type, pk FROM pragma_table_info(?)', [name]);
  const rows = db.all(`SELECT * FROM "${name}"`);
  return {
    columns: columns.map((column) => column['name'] as string),
    types: columns.map((column) => column['type'] as ColumnType),
    keys: columns.filter(({ pk }) => Number(pk) > 0).length,
    rows: rows.map((row) => Object.values(row).map((cell) => (cell === null ? null : String(cell)))),
  };
}

/** Reads what a program has printed: tables by place, in the text format of PostgreSQL's COPY. */
export function readDump(text: string): ReadonlyMap<string, ReadTables> {
  const places = new Map<string, Map<string, ReadTable>>();
  let tables = new Map<string, ReadTable>();
  let rows: (string | null)[][] | undefined;
  let name = '';
  for (const line of text.split('\n')) {
    const cells = line.split('\t');
    if (cells[0] === '#place') places.set(cells[1] ?? '', (tables = new Map<string, ReadTable>()));
    else if (cells[0] === '#table') [name, rows] = [cells[1] ?? '', undefined];
    else if (line === '') continue;
    else if (rows === undefined) tables.set(name, { columns: cells, rows: (rows = []) });
    else rows.push(cells.map(unescaped));
  }
  return places;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

function unescaped(cell: string): string | null {
  if (cell === '\\N') return null;
  return cell.replace(/\\(.)/g, (_, character: string) => ESCAPES[character] ?? character);
}

/** What a program is known to keep otherwise. */
export interface Losses {
  /** Texts lose the spaces at their end, and line breaks become spaces. */
  readonly blanks?: boolean | undefined;
  /** Some names are not allowed, and end with a number instead. */
  readonly names?: boolean | undefined;
  /** A carriage return is read as the end of a line. */
  readonly carriageReturns?: boolean | undefined;
}

/** Names the cells that a program has read otherwise, without their values. */
export function differencesOf(
  expected: ReadonlyMap<string, ExpectedTable>,
  read: ReadTables,
  losses: Losses = {},
): string[] {
  return [...expected].flatMap(([name, table]) => {
    const other = read.get(name);
    if (other === undefined) return table.rows.length === 0 ? [] : [`${name} is missing`];
    const names = losses.names ? other.columns.map((column) => column.replace(/_1$/, '')) : other.columns;
    const wantedNames = losses.names
      ? table.columns.map((column) => column.replace(/_1$/, ''))
      : table.columns;
    if (names.join() !== wantedNames.join()) return [`${name} has other columns: ${other.columns.join()}`];
    const sorted = (rows: ReadTable['rows']): string[][] =>
      rows
        .map((row) => row.map((cell, at) => formOf(cell, table.types[at] ?? 'TEXT', losses)))
        .sort((a, b) =>
          JSON.stringify(a.slice(0, table.keys)) < JSON.stringify(b.slice(0, table.keys)) ? -1 : 1,
        );
    const [wanted, got] = [sorted(table.rows), sorted(other.rows)];
    if (wanted.length !== got.length) return [`${name} has ${got.length} of ${wanted.length} rows`];
    return wanted.flatMap((row, index) =>
      row.flatMap((cell, at) =>
        cell === got[index]?.[at]
          ? []
          : [`${name}[${index}].${table.columns[at]}: ${cell} was read as ${got[index]?.[at]}`],
      ),
    );
  });
}

/** Brings a cell into the form that all programs' are compared in. */
function formOf(cell: string | null, type: ColumnType, { blanks, carriageReturns }: Losses): string {
  if (cell === null || (blanks && cell.trimEnd() === '')) return 'null';
  switch (type) {
    case 'BOOLEAN':
      return /^(?:1|1\.0|t|true)$/i.test(cell) ? '1' : '0';
    case 'INTEGER':
    case 'REAL':
      return String(Number(cell));
    case 'TIMESTAMP':
      return `${cell.replace(' ', 'T')}:00`.slice(0, 19);
    case 'TIME':
      return `${cell}:00`.slice(0, 8);
    default:
      if (blanks) return JSON.stringify(cell.replace(/[\r\n]+/g, ' ').trimEnd());
      return JSON.stringify(carriageReturns ? cell.replace(/\r\n?/g, '\n') : cell);
  }
}
