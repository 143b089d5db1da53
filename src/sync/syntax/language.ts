import type { DescribedColumn, DescribedCopy, DescribedTable } from './described-table.js';

/** A statistics program: the file that it runs, and what it allows. */
export interface Language {
  readonly file: string;
  readonly print: (copy: DescribedCopy) => string;
}

/** Which names a program allows. */
export interface NameRules {
  readonly length: number;
  /** Words that mean something else there; upper and lower case are the same. */
  readonly reserved: ReadonlySet<string>;
}

/** A column under the name that a program knows it by. */
export interface NamedColumn extends DescribedColumn {
  readonly to: string;
}

/** A table whose columns have names that a program allows. */
export interface NamedTable extends Omit<DescribedTable, 'columns'> {
  readonly to: string;
  /** The file to read, for a program that takes each line for a row. */
  readonly lines: string;
  readonly columns: readonly NamedColumn[];
  /** The names that had to be changed, as sentences. */
  readonly changed: readonly string[];
}

/** Gives tables and columns names that a program allows; two never have the same. */
export function nameFor(rules: NameRules, { tables }: DescribedCopy): readonly NamedTable[] {
  const tableNames = namesBy(
    rules,
    tables.map(({ name }) => name),
  );
  return tables.map((table, at) => {
    const to = tableNames[at] ?? table.name;
    const names = namesBy(
      rules,
      table.columns.map(({ name }) => name),
    );
    const columns = table.columns.map((column, index) => ({ ...column, to: names[index] ?? column.name }));
    const changed = [{ name: table.name, to }, ...columns]
      .filter((each) => each.to !== each.name)
      .map((each) => `${each.name.replace(/\W/g, '_')} is ${each.to}`);
    return { ...table, to, columns, changed, lines: fileOfLines(table) };
  });
}

/** The file in which a line is a row: beside the CSV file if a value has a line break. */
export function fileOfLines({ name, hasBreaks }: Pick<DescribedTable, 'name' | 'hasBreaks'>): string {
  return hasBreaks ? `${name}.lines.csv` : `${name}.csv`;
}

function namesBy({ length, reserved }: NameRules, names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  // A name that is allowed keeps it, wherever it stands.
  const isAllowed = (name: string): boolean =>
    name.length <= length && /^[A-Za-z]\w*$/.test(name) && !reserved.has(name.toLowerCase());
  for (const name of names) if (isAllowed(name)) taken.add(name.toLowerCase());
  return names.map((name) => {
    if (isAllowed(name)) return name;
    const plain = name.replace(/\W/g, '_').replace(/^(?![A-Za-z])/, 'v');
    for (let number = 1; ; number += 1) {
      const to = `${plain.slice(0, length - 1 - `${number}`.length)}_${number}`;
      if (taken.has(to.toLowerCase())) continue;
      taken.add(to.toLowerCase());
      return to;
    }
  });
}

/** Cuts a text to so many bytes of UTF-8, at the end of a character. */
export function cutToBytes(text: string, bytes: number): string {
  let [kept, left] = ['', bytes];
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    kept += character;
  }
  return kept;
}

export function isNumeric({ type }: Pick<DescribedColumn, 'type'>): boolean {
  return type === 'INTEGER' || type === 'REAL' || type === 'BOOLEAN';
}
