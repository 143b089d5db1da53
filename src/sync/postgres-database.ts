import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { CopyStoppedError } from '../domain/errors/caller-errors.js';
import {
  onConflict,
  quoted,
  type Cell,
  type ColumnType,
  type Insertion,
  type SqlColumn,
  type SqlDatabase,
} from './sql-database.js';

const TYPES: Readonly<Record<ColumnType, string>> = {
  TEXT: 'text',
  INTEGER: 'bigint',
  REAL: 'double precision',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp without time zone',
  TIME: 'time without time zone',
};

/** A schema of a PostgreSQL database. A lock of the session keeps a second writer out. */
export class PostgresDatabase implements SqlDatabase {
  readonly serial = 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY';

  private constructor(private readonly client: Client) {}

  /**
   * @param url `postgres://user@host/database?schema=study`; the schema is `public` if it is left out. The variables of
   *   libpq (`PGPASSWORD`, `PGHOST`) and `~/.pgpass` are read for what the address lacks
   * @throws {CopyStoppedError} it cannot be reached or refuses the user, or another process is writing the copy
   */
  static async open(url: string, mode: 'read' | 'write'): Promise<PostgresDatabase> {
    const { default: pg } = await import('pg');
    const { connectionString, schema } = partsOf(url);
    const client = new pg.Client({
      connectionString,
      application_name: 'crf sync',
      types: { getTypeParser: (oid: number) => PARSERS[oid] ?? ((text: string): Cell => text) },
    });
    // A connection that is lost fails the next statement.
    client.on('error', () => undefined);
    const database = new PostgresDatabase(client);
    try {
      await client.connect();
    } catch (error) {
      throw new CopyStoppedError(
        `PostgreSQL could not be opened (${codeOf(error)}). Check the address, the user and the password.`,
      );
    }
    try {
      if (mode === 'write') await database.#makeSchema(schema);
      await database.define(`SET search_path TO ${quoted(schema)}`);
      if (mode === 'write') await database.#lock(schema);
    } catch (error) {
      await client.end();
      throw error;
    }
    return database;
  }

  /** A schema that exists needs no right to make one, which PostgreSQL asks for with `IF NOT EXISTS` too. */
  async #makeSchema(schema: string): Promise<void> {
    const [found] = await this.all('SELECT 1 AS found FROM pg_namespace WHERE nspname = ?', [schema]);
    if (found !== undefined) return;
    const [row] = await this.all("SELECT has_database_privilege(current_database(), 'CREATE') AS may");
    if (row?.['may'] !== 1)
      throw new CopyStoppedError(
        `The database has no schema ${schema}, and the user may not make one. Let somebody who may run CREATE SCHEMA ${quoted(schema)} AUTHORIZATION, with the name of the user, then run this again.`,
      );
    await this.define(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
  }

  async #lock(schema: string): Promise<void> {
    const sql = 'SELECT pg_try_advisory_lock(hashtextextended(?, 0)) AS locked';
    const [row] = await this.all(sql, [`crf sync ${schema}`]);
    if (row?.['locked'] !== 1)
      throw new CopyStoppedError('Another process is writing this copy: wait until it has ended.');
  }

  among(column: string): string {
    return `${quoted(column)} = ANY(ARRAY(SELECT json_array_elements_text(?::json)))`;
  }

  typeOf(type: ColumnType): string {
    return TYPES[type];
  }

  /** PostgreSQL cuts names after 63 bytes; the end of a long one says what it is. */
  nameOf(name: string): string {
    if (name.length <= 63) return name;
    const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
    return `${name.slice(0, 31)}_${digest}_${name.slice(-22)}`;
  }

  /** As PostgreSQL will answer it, so that what has not changed is seen to be the same. */
  toCell(cell: Cell, type: ColumnType): Cell | undefined {
    if (typeof cell !== 'string') return cell;
    if (UNKEEPABLE.test(cell)) return undefined;
    if ((type === 'DATE' || type === 'TIMESTAMP') && cell.startsWith('0000')) return undefined;
    const isShort = (type === 'TIMESTAMP' && cell.length === 16) || (type === 'TIME' && cell.length === 5);
    return isShort ? `${cell}:00` : cell;
  }

  async all(sql: string, params: readonly Cell[] = []): Promise<Record<string, Cell>[]> {
    return (await this.#query(sql, params)).rows;
  }

  async run(sql: string, params: readonly Cell[]): Promise<number> {
    return (await this.#query(sql, params)).rowCount ?? 0;
  }

  async define(sql: string): Promise<void> {
    await this.#query(sql, []);
  }

  /** Sends the rows as one JSON text, of which PostgreSQL makes rows of the table's types. */
  async insert(insertion: Insertion): Promise<void> {
    const { table, columns, rows } = insertion;
    if (rows.length === 0) return;
    const names = columns.map(({ name }) => quoted(name)).join(', ');
    const objects = rows.map((row) =>
      Object.fromEntries(columns.map(({ name }, at) => [name, keepable(row[at] ?? null)])),
    );
    await this.#query(
      `INSERT INTO ${quoted(table)} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${quoted(table)}, ?)${onConflict(insertion)}`,
      [JSON.stringify(objects)],
    );
  }

  async transaction(work: () => Promise<void>): Promise<void> {
    await this.define('BEGIN');
    try {
      await work();
      await this.define('COMMIT');
    } catch (error) {
      await this.define('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async tables(): Promise<string[]> {
    const rows = await this.all(
      "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace(current_schema()::text)",
    );
    return rows.map(({ name }) => `${name}`);
  }

  async columns(table: string): Promise<(SqlColumn & { readonly isKey: boolean })[]> {
    const rows = await this.all(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type, coalesce(attnum = ANY(indkey), false) AS key
       FROM pg_attribute LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
       WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
      [quoted(table)],
    );
    return rows.map(({ name, type, key }) => ({
      name: `${name}`,
      type: (KINDS.get(`${type}`) ?? type) as ColumnType,
      isKey: key === 1,
    }));
  }

  async bytes(): Promise<number> {
    const [row] = await this.all(
      "SELECT sum(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema()::text)",
    );
    return Number(row?.['bytes'] ?? 0);
  }

  /** Readers see what is committed. */
  publish(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  async #query(
    sql: string,
    params: readonly Cell[],
  ): Promise<{ readonly rows: Record<string, Cell>[]; readonly rowCount: number | null }> {
    let at = 0;
    try {
      return await this.client.query<Record<string, Cell>>(
        sql.replaceAll('?', () => `$${++at}`),
        [...params],
      );
    } catch (error) {
      // Its own message may have values of records.
      const code = codeOf(error);
      throw new CopyStoppedError(
        `PostgreSQL refused a statement (${code}). ${REASONS[code] ?? 'What was committed before is whole: run this again.'}`,
      );
    }
  }
}

const KINDS: ReadonlyMap<string, string> = new Map(Object.entries(TYPES).map(([type, name]) => [name, type]));

/** PostgreSQL's numbers of the types that are not read as text. */
const PARSERS: Readonly<Record<number, (text: string) => Cell>> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: Number,
  23: Number,
  701: Number,
  1114: (text) => text.replace(' ', 'T'),
};

/** What a text of PostgreSQL cannot hold: the character 0, and halves of characters. */
const UNKEEPABLE = /[\0\uD800-\uDFFF]/u;

function keepable(cell: Cell): Cell {
  if (typeof cell !== 'string' || !UNKEEPABLE.test(cell)) return cell;
  return cell.replaceAll(
    new RegExp(UNKEEPABLE, 'gu'),
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** SQLSTATE codes that somebody can do something about. */
const REASONS: Readonly<Record<string, string>> = {
  '2BP01': 'Something depends on what is to change, such as a view of yours: drop it, then run this again.',
  '42501': 'The user needs the rights CREATE and USAGE in the schema, and must own its tables.',
  '53100': 'Its disk is full.',
  '54011': 'An instrument has more columns than a table can have (1600): choose sqlite:FILE.',
};

/** The code of an error of PostgreSQL or of the network; its message may have a secret or a value. */
function codeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : 'the connection was lost';
}

function partsOf(url: string): { readonly connectionString: string; readonly schema: string } {
  const [address = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const schema = parameters.get('schema') ?? 'public';
  parameters.delete('schema');
  return {
    connectionString: parameters.size === 0 ? address : `${address}?${parameters.toString()}`,
    schema,
  };
}
