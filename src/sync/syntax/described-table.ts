import { withoutTags } from '../../domain/dictionary/without-tags.js';
import { quoted, type Cell, type ColumnType, type SqlColumn, type SqlDatabase } from '../sql-database.js';

/** A column of a CSV file, as a statistics program needs to know it. */
export interface DescribedColumn {
  readonly name: string;
  /** Plain text on one line; empty if there is none. */
  readonly label: string;
  /** A column of codes is `INTEGER` if all of its codes and values are whole numbers. */
  readonly type: ColumnType;
  readonly choices: readonly { readonly code: string; readonly label: string }[];
  /** The length of the longest value, in bytes of UTF-8. */
  readonly bytes: number;
  /** The column with the missing data codes of this one. */
  readonly missing: string | undefined;
}

export interface DescribedTable {
  readonly name: string;
  readonly rows: number;
  /** Whether a value has a line break. */
  readonly hasBreaks: boolean;
  readonly columns: readonly DescribedColumn[];
}

/** The tables of a copy. */
export interface DescribedCopy {
  readonly tables: readonly DescribedTable[];
  /** The missing data codes of the project. */
  readonly missingCodes: readonly string[];
}

/** Describes the tables of instruments by the codebook of a copy and by their values. */
export async function describeCopy(db: SqlDatabase): Promise<DescribedCopy> {
  const labels = new Map<string, string>();
  for (const { column_name, label } of await db.all('SELECT column_name, label FROM _codebook'))
    labels.set(`${column_name}`, onOneLine(`${label ?? ''}`));
  const choices = new Map<string, { code: string; label: string }[]>();
  for (const { field, code, label } of await db.all(
    'SELECT field, code, label FROM _choices ORDER BY position',
  )) {
    const known = choices.get(`${field}`) ?? [];
    known.push({ code: `${code}`, label: onOneLine(`${label ?? ''}`) });
    choices.set(`${field}`, known);
  }
  const tables: DescribedTable[] = [];
  for (const name of await db.tables())
    if (!name.startsWith('_')) tables.push(await describeTable(db, name, { labels, choices }));
  return { tables, missingCodes: (choices.get('_missing') ?? []).map(({ code }) => code) };
}

async function describeTable(
  db: SqlDatabase,
  name: string,
  book: {
    readonly labels: ReadonlyMap<string, string>;
    readonly choices: ReadonlyMap<string, DescribedColumn['choices']>;
  },
): Promise<DescribedTable> {
  const columns = await db.columns(name);
  const names = columns.map((column) => column.name);
  const facts = await factsOf(db, name, columns);
  const described = columns.map(({ name: column, type }, at): DescribedColumn => {
    const known = book.choices.get(column) ?? [];
    const isNumeric =
      known.length > 0 && known.every(({ code }) => WHOLE.test(code)) && facts[`other${at}`] !== 1;
    return {
      name: column,
      label: book.labels.get(column) ?? '',
      type: type === 'TEXT' && isNumeric ? 'INTEGER' : type,
      choices: known,
      bytes: Number(facts[`bytes${at}`] ?? 0),
      missing: book.labels.has(column)
        ? names.find((other) => other.startsWith(`${column}__missing`) && !book.labels.has(other))
        : undefined,
    };
  });
  return {
    name,
    rows: Number(facts['rows']),
    hasBreaks: columns.some((_, at) => facts[`break${at}`] === 1),
    columns: described,
  };
}

/** What only the values tell. SQLite has a limit of 2000 columns in an answer. */
async function factsOf(
  db: SqlDatabase,
  name: string,
  columns: readonly SqlColumn[],
): Promise<Readonly<Record<string, Cell>>> {
  const facts: Record<string, Cell> = {};
  for (let from = 0; from < columns.length; from += 500) {
    const sums = columns.slice(from, from + 500).flatMap(({ name: column, type }, index) => {
      const [cell, at] = [quoted(column), from + index];
      const bytes = `max(length(CAST(${cell} AS BLOB))) AS bytes${at}`;
      if (type !== 'TEXT') return [bytes];
      const isOther = `CAST(CAST(${cell} AS INTEGER) AS TEXT) <> ${cell}`;
      const hasBreak = `instr(${cell}, char(10)) + instr(${cell}, char(13)) > 0`;
      return [bytes, `max(${isOther}) AS other${at}`, `max(${hasBreak}) AS break${at}`];
    });
    const [row] = await db.all(`SELECT count(*) AS rows, ${sums.join(', ')} FROM ${quoted(name)}`);
    Object.assign(facts, row);
  }
  return facts;
}

/** Whole numbers that every program keeps, and writes as they are. */
export const WHOLE = /^(?:0|-?[1-9]\d{0,8})$/;

/** Labels and codes have no character that ends a line: no language can quote all of them. */
function onOneLine(text: string): string {
  return withoutTags(text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '));
}
