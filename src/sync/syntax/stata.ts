import type { DescribedCopy } from './described-table.js';
import { isNumeric, nameFor, type Language, type NamedColumn, type NamedTable } from './language.js';

const LABEL_CHARACTERS = 80;
/** Of a value's label, which may have up to 32,000 bytes; no table shows more. */
const VALUE_LABEL_CHARACTERS = 240;

const RULES = {
  length: 32,
  reserved: new Set([
    ...['byte', 'double', 'float', 'if', 'in', 'int', 'long', 'strl', 'using', 'with'],
    ...Array.from({ length: 2045 }, (_, index) => `str${index + 1}`),
  ]),
};

/**
 * Writes a text as a string of Stata. What would begin or end something else inside of it gets a space, or another
 * character: a macro, a comment, the end of the string.
 */
export function inStata(text: string, characters = VALUE_LABEL_CHARACTERS): string {
  const plain = [...text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')].slice(0, characters).join('');
  const safe = plain
    .replaceAll('`', "'")
    .replace(/(^|")(?=')/g, '$1 ')
    .replace(/\\+(?=\$|$)/g, '/')
    .replace(/\/(?=[/*])/g, '/ ')
    .replaceAll('$', '\\$');
  return `\`"${safe}"'`;
}

const HEAD = `* Reads the CSV files of this folder and saves a dataset for each. Make it the working directory first: cd folder
version 14
`;

export const stata: Language = { file: 'read.do', print };

function print(copy: DescribedCopy): string {
  return [HEAD, ...nameFor(RULES, copy).map((table) => tableInStata(table, copy.missingCodes))].join('\n');
}

function tableInStata(table: NamedTable, codes: readonly string[]): string {
  const { columns } = table;
  if (table.rows === 0) return `* ${table.name} has no rows.\n`;
  const lines = [
    ...table.changed.map((each) => `* ${each}.`),
    `import delimited using "${table.lines}", clear varnames(nonames) rowrange(2) stringcols(_all) delimiters(",") bindquotes(strict) encoding("UTF-8")`,
    // Names such as v1 are those of the file's columns at first.
    'rename v# crf_v#',
    ...columns.flatMap((column, at) => columnFrom(column, `crf_v${at + 1}`)),
    `order ${columns.map(({ to }) => to).join(' ')}`,
    ...columns.flatMap((column) => labelsOf(column, columns, codes)),
    `save "${table.name}.dta", replace`,
  ];
  return `${lines.join('\n')}\n`;
}

function columnFrom({ to, type, bytes }: NamedColumn, from: string): string[] {
  const hasSeconds = bytes > (type === 'TIME' ? 5 : 16);
  switch (type) {
    case 'TEXT':
      return [`rename ${from} ${to}`];
    case 'DATE':
      return [`generate double ${to} = date(${from}, "YMD")`, `format ${to} %tdCCYY-NN-DD`, `drop ${from}`];
    case 'TIMESTAMP':
      return [
        `generate double ${to} = clock(subinstr(${from}, "T", " ", 1), "YMDhm${hasSeconds ? 's' : ''}")`,
        `format ${to} %tcCCYY-NN-DD_HH:MM:SS`,
        `drop ${from}`,
      ];
    case 'TIME':
      return [
        `generate double ${to} = clock(${from}, "hm${hasSeconds ? 's' : ''}")`,
        `format ${to} %tcHH:MM:SS`,
        `drop ${from}`,
      ];
    default:
      return [`generate double ${to} = real(${from})`, `drop ${from}`];
  }
}

/** Only numbers have labels and missing values of their own, `.a` to `.z`, in Stata. */
function labelsOf(
  { to, label, missing, choices, type }: NamedColumn,
  columns: readonly NamedColumn[],
  codes: readonly string[],
): string[] {
  const named = label === '' ? [] : [`label variable ${to} ${inStata(label, LABEL_CHARACTERS)}`];
  if (!isNumeric({ type })) return named;
  const source = columns.find(({ name }) => name === missing);
  const letters =
    source === undefined ? [] : codes.slice(0, 26).map((code, at) => ({ code, value: `.${LETTERS[at]}` }));
  const values = [
    ...choices.map(({ code, label: text }) => `${code} ${inStata(text)}`),
    ...letters.map(({ code, value }) => `${value} ${inStata(code)}`),
  ];
  return [
    ...named,
    ...letters.map(({ code, value }) => `replace ${to} = ${value} if ${source?.to} == ${inStata(code)}`),
    ...values.map((value) => `label define ${to} ${value}, modify`),
    ...(values.length > 0 ? [`label values ${to} ${to}`] : []),
  ];
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
