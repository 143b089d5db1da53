import type { ColumnType } from '../sql-database.js';
import type { DescribedCopy, DescribedTable } from './described-table.js';
import type { Language } from './language.js';

/** Writes a text as a string of R, in characters that mean the same in every locale. */
export function inR(text: string): string {
  const escaped = text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .replace(/["\\]/g, '\\$&')
    .replace(/[^ -~]/gu, (character) => `\\U{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return `"${escaped}"`;
}

const KINDS: Readonly<Record<ColumnType, string>> = {
  TEXT: 'text',
  INTEGER: 'number',
  REAL: 'number',
  BOOLEAN: 'logical',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  TIME: 'text',
};

/** Base R alone; a time without a date stays text, for which it has no type. */
const HEAD = `# Reads the CSV files of this folder, a data frame for each: source("read.R", chdir = TRUE)
# Timestamps have no time zone in REDCap: UTC stands for none. A column of codes has its labels in a factor beside it.
crf_read <- function(file, columns) {
  data <- read.csv(file, colClasses = "character", na.strings = "", check.names = FALSE, encoding = "UTF-8")
  for (column in columns) {
    value <- data[[column[1]]]
    value <- switch(column[2],
      number = as.numeric(value),
      logical = value == "1",
      date = as.Date(value, format = "%Y-%m-%d"),
      timestamp = as.POSIXct(value, tz = "UTC",
        format = if (all(is.na(value) | nchar(value) == 16)) "%Y-%m-%dT%H:%M" else "%Y-%m-%dT%H:%M:%S"),
      value)
    if (column[3] != "") attr(value, "label") <- column[3]
    data[[column[1]]] <- value
  }
  data
}
`;

export const r: Language = { file: 'read.R', print };

function print({ tables }: DescribedCopy): string {
  return [HEAD, ...tables.map(tableInR)].join('\n');
}

function tableInR({ name, columns }: DescribedTable): string {
  const described = columns.map(
    (column) => `  c(${[column.name, KINDS[column.type], column.label].map(inR).join(', ')})`,
  );
  const factors = columns
    .filter(({ type, choices }) => choices.length > 0 && type !== 'BOOLEAN')
    .map((column) => {
      const levels = column.choices.map(({ code }) => inR(code)).join(', ');
      const labels = column.choices.map(({ label }) => inR(label)).join(', ');
      return `${variable(name)}[[${inR(`${column.name}.factor`)}]] <- factor(${variable(name)}[[${inR(column.name)}]], levels = c(${levels}), labels = c(${labels}))\n`;
    });
  return `${variable(name)} <- crf_read(${inR(`${name}.csv`)}, list(\n${described.join(',\n')}\n))\n${factors.join('')}`;
}

/** A name between backticks may be any word, also one that R reserves. */
function variable(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}
