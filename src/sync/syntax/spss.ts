import { WHOLE, type DescribedColumn, type DescribedCopy, type DescribedTable } from './described-table.js';

/** SPSS shows 120 characters of a label, keeps as many of a value's, and reads 256 of a line. */
const LABEL_BYTES = 120;
const LONGEST_TEXT = 32_767;

const NAME_LENGTH = 64;
/** Words that mean something else; upper and lower case are the same. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['all', 'and', 'by', 'eq', 'ge', 'gt', 'le', 'lt', 'ne', 'not', 'or', 'to', 'with'],
]);

/** A column under the name that SPSS knows it by. */
interface NamedColumn extends DescribedColumn {
  readonly to: string;
}

/** A table whose columns have names that SPSS allows. */
interface NamedTable extends Omit<DescribedTable, 'columns'> {
  readonly to: string;
  readonly columns: readonly NamedColumn[];
  /** The names that had to be changed, as sentences. */
  readonly changed: readonly string[];
}

/** Writes a text as a string of SPSS. */
export function inSpss(text: string): string {
  const plain = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
  return `'${cutToBytes(plain, LABEL_BYTES).replaceAll("'", "''")}'`;
}

const HEAD = `* Encoding: UTF-8.
* Reads the CSV files of this folder, a dataset for each. Make it the working folder first: CD 'folder'.
`;

/** Writes what reads the tables with SPSS. */
export function printSpss(copy: DescribedCopy): string {
  const numbers = copy.missingCodes.filter((code) => WHOLE.test(code));
  return [HEAD, ...named(copy).map((table) => tableInSpss(table, numbers))].join('\n');
}

/** Gives tables and columns names that SPSS allows; two never have the same. */
function named({ tables }: DescribedCopy): readonly NamedTable[] {
  const tableNames = namesFor(tables.map(({ name }) => name));
  return tables.map((table, at) => {
    const to = tableNames[at] ?? table.name;
    const names = namesFor(table.columns.map(({ name }) => name));
    const columns = table.columns.map((column, index) => ({ ...column, to: names[index] ?? column.name }));
    const changed = [{ name: table.name, to }, ...columns]
      .filter((each) => each.to !== each.name)
      .map((each) => `${each.name.replace(/\W/g, '_')} is ${each.to}`);
    return { ...table, to, columns, changed };
  });
}

/** Returns a name that SPSS allows for each of some names; two never have the same. */
export function namesFor(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  // A name that is allowed keeps it, wherever it stands.
  const isAllowed = (name: string): boolean =>
    name.length <= NAME_LENGTH && /^[A-Za-z]\w*$/.test(name) && !RESERVED.has(name.toLowerCase());
  for (const name of names) if (isAllowed(name)) taken.add(name.toLowerCase());
  return names.map((name) => {
    if (isAllowed(name)) return name;
    const plain = name.replace(/\W/g, '_').replace(/^(?![A-Za-z])/, 'v');
    for (let number = 1; ; number += 1) {
      const to = `${plain.slice(0, NAME_LENGTH - 1 - `${number}`.length)}_${number}`;
      if (taken.has(to.toLowerCase())) continue;
      taken.add(to.toLowerCase());
      return to;
    }
  });
}

/** Cuts a text to so many bytes of UTF-8, at the end of a character. */
function cutToBytes(text: string, bytes: number): string {
  let [kept, left] = ['', bytes];
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    kept += character;
  }
  return kept;
}

function isNumeric({ type }: Pick<DescribedColumn, 'type'>): boolean {
  return type === 'INTEGER' || type === 'REAL' || type === 'BOOLEAN';
}

function tableInSpss(table: NamedTable, missingCodes: readonly string[]): string {
  const { columns } = table;
  // Each line is a row: if a value has a line break, it is a space in another file.
  const file = table.hasBreaks ? `${table.name}.lines.csv` : `${table.name}.csv`;
  const timestamps = columns.filter(({ type }) => type === 'TIMESTAMP');
  const labelled = columns.filter(({ label }) => label !== '');
  const valued = columns.filter(({ choices }) => choices.length > 0);
  const statements = [
    ...table.changed.map((each) => `* ${each}`),
    `GET DATA /TYPE=TXT /FILE='${file}' /ENCODING='UTF8' /ARRANGEMENT=DELIMITED\n  /DELIMITERS=',' /QUALIFIER='"' /FIRSTCASE=2 /VARIABLES=\n${columns.map((column, at) => `  ${readAs(column, at)}`).join('\n')}`,
    ...columns.flatMap((column, at) => (column.type === 'TIMESTAMP' ? timestampFrom(column, at) : [])),
    // The order of the file.
    ...(timestamps.length > 0
      ? [`MATCH FILES /FILE=* /KEEP=\n${columns.map(({ to }) => `  ${to}`).join('\n')}`]
      : []),
    ...columns
      .filter(isNumeric)
      .map(({ to, type }) => `FORMATS ${to} (${type === 'REAL' ? 'F16.4' : 'F16.0'})`),
    ...columns.flatMap((column) => missingIn(column, columns, missingCodes)),
    ...labelled.map(({ to, label }) => `VARIABLE LABELS ${to}\n  ${inSpss(label)}`),
    ...valued.map(
      ({ to, choices, ...column }) =>
        `VALUE LABELS ${to}\n${choices.map(({ code, label }) => `  ${isNumeric(column) ? code : inSpss(code)} ${inSpss(label)}`).join('\n')}`,
    ),
    `DATASET NAME ${table.to}`,
  ];
  return statements.map((statement) => `${statement}.\n`).join('');
}

/** A timestamp is read as text: not every version of SPSS reads one with a T. */
function readAs({ to, type, bytes }: NamedColumn, at: number): string {
  switch (type) {
    case 'TEXT':
      return `${to} A${Math.min(Math.max(bytes, 1), LONGEST_TEXT)}`;
    case 'DATE':
      return `${to} SDATE10`;
    case 'TIME':
      return `${to} TIME8`;
    case 'TIMESTAMP':
      return `@${at} A19`;
    default:
      return `${to} F40.0`;
  }
}

function timestampFrom({ to }: NamedColumn, at: number): string[] {
  const part = (from: number, length: number): string => `NUMBER(SUBSTR(@${at},${from},${length}),F4)`;
  return [
    `COMPUTE ${to} = DATE.DMY(${part(9, 2)},${part(6, 2)},${part(1, 4)})\n  + TIME.HMS(${part(12, 2)},${part(15, 2)},SUM(0,${part(18, 2)}))`,
    `FORMATS ${to} (DATETIME20)`,
  ];
}

/** SPSS knows at most three missing values of a variable, which have its type. */
function missingIn(
  { to, missing, type }: NamedColumn,
  columns: readonly NamedColumn[],
  codes: readonly string[],
): string[] {
  const source = columns.find(({ name }) => name === missing);
  if (source === undefined || codes.length === 0 || codes.length > 3 || !isNumeric({ type })) return [];
  return [
    ...codes.map((code) => `IF (${source.to} = ${inSpss(code)}) ${to} = ${code}`),
    `MISSING VALUES ${to} (${codes.join(',')})`,
  ];
}
