import stringWidth from 'fast-string-width';
import { withoutTags } from '../../domain/dictionary/without-tags.js';
import { spreadsheetCell } from '../../records/formats/csv-formula-guard.js';
import type { ImportCell } from '../../gateways/redcap/crf-client.js';
import type { Io } from '../io.js';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
}

/** Returns the columns of properties, which have their names; one that is null or undefined is blank. */
export function columnsOf<Row>(...names: readonly (keyof Row & string)[]): Column<Row>[] {
  return names.map((name) => ({ title: name, cell: (row) => String(row[name] ?? '') }));
}

const GAP = '  ';

/**
 * Formats rows as aligned lines, without control characters that could affect the terminal.
 *
 * @param width of the terminal; longer lines are cut off. By default, lines are not cut.
 */
export function toTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width = Infinity,
): string {
  const lines = [
    columns.map(({ title }) => title.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase()),
    ...rows.map((row) => columns.map(({ cell }) => printable(cell(row)))),
  ];
  const widths = columns.map((_, at) =>
    lines.reduce((most, line) => Math.max(most, stringWidth(line[at] ?? '')), 0),
  );
  const pad = (text: string, at: number): string => text + ' '.repeat((widths[at] ?? 0) - stringWidth(text));
  return lines.map((line) => `${cutTo(line.map(pad).join(GAP).trimEnd(), width)}\n`).join('');
}

/** Formats rows as CSV for a spreadsheet, in which no text is a formula. */
export function toCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ cell }) => cell(row))),
  ];
  return lines.map((cells) => `${cells.map(spreadsheetCell).join(',')}\n`).join('');
}

/**
 * Returns project text for a terminal, in one line: without HTML, and without control characters that could affect the
 * terminal.
 */
export function printable(text: string): string {
  return withoutTags(text.replace(/[\p{Cc}\p{Cf}]+/gu, ' '));
}

/** Cuts a line to a width in columns. One that is cut ends with an ellipsis. */
export function cutTo(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  let [kept, taken] = ['', 0];
  for (const character of line) {
    taken += stringWidth(character);
    if (taken > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Prints rows as a table, JSON or CSV. Says on stderr that a table would be empty. */
export function printRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { json, csv }: { readonly json: boolean; readonly csv: boolean },
  { stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>,
  csvColumns = columns,
): void {
  if (json) stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (csv) stdout.write(toCsv(rows, csvColumns));
  else if (rows.length === 0) stderr.write('The list is empty.\n');
  else stdout.write(toTable(rows, columns, terminalWidth(stdout)));
}

/**
 * @returns the width of a terminal; undefined if the stream is not a terminal or its width is unknown, as in terminals
 * of `script` or CI servers, which report 0
 */
export function terminalWidth(stream: { readonly columns?: number | undefined }): number | undefined {
  return stream.columns === undefined || stream.columns <= 0 ? undefined : stream.columns;
}

/** Returns what is to be said, in order: what a condition leaves out is false or undefined. */
export function said(...parts: readonly (string | false | undefined)[]): string[] {
  return parts.filter((part) => part !== false && part !== undefined);
}

/** Returns the record of a value, with its event and its instance if it has them. */
export function placeOf({
  record,
  event,
  instance,
}: Pick<ImportCell, 'record' | 'event' | 'instance'>): string {
  return [record, event, instance].filter((part) => part !== '' && part !== null).join(', ');
}

/** @returns `1 record`, `2 records` */
export function counted(count: number, what: string, several = `${what}s`): string {
  return `${count} ${count === 1 ? what : several}`;
}

/** Lists the first names, as in `a, b and 3 more`. @param count of all, if some are not at hand */
export function firstOf(names: readonly string[], most: number, count = names.length): string {
  const shown = names.slice(0, most);
  return count > shown.length ? `${shown.join(', ')} and ${count - shown.length} more` : shown.join(', ');
}

/** Lists the first five names in quotes, so that users can check whether the right ones are meant. */
export function namesInWords(names: readonly string[]): string {
  return firstOf(
    names.map((name) => `"${printable(name)}"`),
    5,
  );
}
