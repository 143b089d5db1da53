/** A cell as it is read and written: a yes is 1 and a no is 0; dates and times are ISO 8601 text. */
export type Cell = string | number | null;

export type ColumnType = 'TEXT' | 'INTEGER' | 'REAL' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP' | 'TIME';

export interface SqlColumn {
  readonly name: string;
  readonly type: ColumnType;
}

export interface DefinedTable {
  readonly name: string;
  /** The columns of the primary key, which come first. */
  readonly keys: readonly SqlColumn[];
  readonly columns: readonly SqlColumn[];
}

/** The rows of a table, by their columns. */
export type TableRows = AsyncIterable<Readonly<Record<string, Cell>>>;

/** Rows to be written; those whose keys exist are replaced, as far as they have the columns. */
export interface Insertion {
  readonly table: string;
  readonly columns: readonly SqlColumn[];
  /** The names of the columns of the primary key; empty for rows that are only added. */
  readonly keys: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** What the databases that hold a copy have in common, and do differently. */
export interface SqlDatabase {
  /** A column that numbers its rows. */
  readonly serial: string;
  /** How a value as text, and nothing else, is looked up: the parameter is a JSON list of texts. */
  among(column: string): string;
  /** The type of a column in a definition. */
  typeOf(type: ColumnType): string;
  /** Shortens a name that is too long for an identifier. */
  nameOf(name: string): string;
  /** @returns undefined if the database cannot keep it */
  toCell(cell: Cell, type: ColumnType): Cell | undefined;
  /** Reads; each `?` is a parameter. */
  all(sql: string, params?: readonly Cell[]): Promise<Record<string, Cell>[]>;
  /** Changes rows; each `?` is a parameter. @returns how many */
  run(sql: string, params: readonly Cell[]): Promise<number>;
  /** Changes tables. */
  define(sql: string): Promise<void>;
  insert(insertion: Insertion): Promise<void>;
  /** Does all of the work or nothing. */
  transaction(work: () => Promise<void>): Promise<void>;
  tables(): Promise<string[]>;
  columns(table: string): Promise<(SqlColumn & { readonly isKey: boolean })[]>;
  bytes(): Promise<number>;
  /** Shows readers what is committed, where they do not see it by themselves. */
  publish(): Promise<void>;
  /** What was committed and not published is gone on with by the next run. */
  close(): Promise<void>;
}

/** Returns a name as an identifier of SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The end of an insertion that replaces rows, the same in all dialects. */
export function onConflict({ columns, keys }: Insertion): string {
  if (keys.length === 0) return '';
  const updates = columns
    .filter(({ name }) => !keys.includes(name))
    .map(({ name }) => `${quoted(name)} = excluded.${quoted(name)}`);
  const what = updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`;
  return ` ON CONFLICT (${keys.map(quoted).join(', ')}) DO ${what}`;
}
