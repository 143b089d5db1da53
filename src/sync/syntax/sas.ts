import type { DescribedCopy } from './described-table.js';
import {
  cutToBytes,
  isNumeric,
  nameFor,
  type Language,
  type NamedColumn,
  type NamedTable,
} from './language.js';

const LABEL_BYTES = 256;
const LONGEST_TEXT = 32_767;

/** The lists of variables that have a name are the only ones that SAS reserves, and begin with an underscore. */
const RULES = { length: 32, reserved: new Set<string>() };

/** Writes a text as a string of SAS, in which no macro is looked for. */
export function inSas(text: string): string {
  const plain = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
  return `'${cutToBytes(plain, LABEL_BYTES).replaceAll("'", "''")}'`;
}

const HEAD = `/* Reads the CSV files of this folder, a data set for each. The session must be one of UTF-8. */
%let folder = .;
`;

export const sas: Language = { file: 'read.sas', print };

function print(copy: DescribedCopy): string {
  const tables = nameFor(RULES, copy).map((table, at) => tableInSas(table, at + 1, copy.missingCodes));
  return [HEAD, ...tables].join('\n');
}

function tableInSas(table: NamedTable, number: number, codes: readonly string[]): string {
  const { columns } = table;
  const formats = columns.flatMap((column, at) => valueFormat(column, formatName(column, number, at), codes));
  const lines = [
    ...table.changed.map((each) => `/* ${each}. */`),
    ...(formats.length > 0 ? ['proc format;', ...formats, 'run;'] : []),
    `data work.${table.to};`,
    `  infile "&folder./${table.lines}" dsd dlm=',' firstobs=2 lrecl=1000000 truncover encoding='utf-8' termstr=lf;`,
    ...columns.map((column) => `  length ${column.to} ${lengthOf(column)};`),
    '  input',
    ...columns.map((column, at) => `    ${readAs(column, at)}`),
    '  ;',
    ...columns.flatMap((column, at) => (column.type === 'TIMESTAMP' ? timestampFrom(column, at) : [])),
    ...columns.flatMap((column) => missingIn(column, columns, codes)),
    ...columns.flatMap((column, at) => {
      const format = hasFormat(column, codes) ? formatName(column, number, at) : FORMATS[column.type];
      return format === undefined ? [] : [`  format ${column.to} ${format}.;`];
    }),
    ...columns.filter(({ label }) => label !== '').map(({ to, label }) => `  label ${to} = ${inSas(label)};`),
    'run;',
  ];
  return `${lines.join('\n')}\n`;
}

const FORMATS: Readonly<Record<string, string>> = { DATE: 'yymmdd10', TIMESTAMP: 'e8601dt19', TIME: 'time8' };

function lengthOf({ type, bytes }: NamedColumn): string {
  return type === 'TEXT' ? `$${Math.min(Math.max(bytes, 1), LONGEST_TEXT)}` : '8';
}

/** A timestamp is read as text: SAS reads none without seconds. */
function readAs({ to, type }: NamedColumn, at: number): string {
  switch (type) {
    case 'TEXT':
      return `${to} $`;
    case 'DATE':
      return `${to} :yymmdd10.`;
    case 'TIME':
      return `${to} :time8.`;
    case 'TIMESTAMP':
      return `_t${at} :$19.`;
    default:
      return `${to} :best32.`;
  }
}

function timestampFrom({ to }: NamedColumn, at: number): string[] {
  return [
    `  if length(_t${at}) = 16 then _t${at} = cats(_t${at}, ':00');`,
    `  if _t${at} ne '' then ${to} = input(_t${at}, e8601dt19.);`,
    `  drop _t${at};`,
  ];
}

/** Missing data codes are `.A` to `.Z`. */
function missingIn(
  { to, missing, type }: NamedColumn,
  columns: readonly NamedColumn[],
  codes: readonly string[],
): string[] {
  const source = columns.find(({ name }) => name === missing);
  if (source === undefined || !isNumeric({ type })) return [];
  return codes
    .slice(0, 26)
    .map((code, at) => `  if ${source.to} = ${inSas(code)} then ${to} = .${LETTERS[at]};`);
}

function hasFormat(column: NamedColumn, codes: readonly string[]): boolean {
  const hasMissing = isNumeric(column) && column.missing !== undefined && codes.length > 0;
  return column.choices.length > 0 || hasMissing;
}

/** The name of a format must not end with a digit. */
function formatName({ type }: NamedColumn, table: number, at: number): string {
  return `${type === 'TEXT' ? '$' : ''}crf${table}_${at + 1}_`;
}

function valueFormat(column: NamedColumn, name: string, codes: readonly string[]): string[] {
  if (!hasFormat(column, codes)) return [];
  const isNumber = isNumeric(column);
  const values = column.choices.map(
    ({ code, label }) => `    ${isNumber ? code : inSas(code)} = ${inSas(label)}`,
  );
  const missing =
    isNumber && column.missing !== undefined
      ? codes.slice(0, 26).map((code, at) => `    .${LETTERS[at]} = ${inSas(code)}`)
      : [];
  return [`  value ${name}`, ...values, ...missing, '  ;'];
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
