import { WHOLE, type DescribedCopy } from './described-table.js';
import {
  cutToBytes,
  isNumeric,
  nameFor,
  type Language,
  type NamedColumn,
  type NamedTable,
} from './language.js';

/** SPSS shows 120 characters of a label, keeps as many of a value's, and reads 256 of a line. */
const LABEL_BYTES = 120;
const LONGEST_TEXT = 32_767;

const RULES = {
  length: 64,
  reserved: new Set(['all', 'and', 'by', 'eq', 'ge', 'gt', 'le', 'lt', 'ne', 'not', 'or', 'to', 'with']),
};

/** Writes a text as a string of SPSS. */
export function inSpss(text: string): string {
  const plain = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
  return `'${cutToBytes(plain, LABEL_BYTES).replaceAll("'", "''")}'`;
}

const HEAD = `* Encoding: UTF-8.
* Reads the CSV files of this folder, a dataset for each. Make it the working folder first: CD 'folder'.
`;

export const spss: Language = { file: 'read.sps', print };

function print(copy: DescribedCopy): string {
  const numbers = copy.missingCodes.filter((code) => WHOLE.test(code));
  return [HEAD, ...nameFor(RULES, copy).map((table) => tableInSpss(table, numbers))].join('\n');
}

function tableInSpss(table: NamedTable, missingCodes: readonly string[]): string {
  const { columns } = table;
  const timestamps = columns.filter(({ type }) => type === 'TIMESTAMP');
  const labelled = columns.filter(({ label }) => label !== '');
  const valued = columns.filter(({ choices }) => choices.length > 0);
  const statements = [
    ...table.changed.map((each) => `* ${each}`),
    `GET DATA /TYPE=TXT /FILE='${table.lines}' /ENCODING='UTF8' /ARRANGEMENT=DELIMITED\n  /DELIMITERS=',' /QUALIFIER='"' /FIRSTCASE=2 /VARIABLES=\n${columns.map((column, at) => `  ${readAs(column, at)}`).join('\n')}`,
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
