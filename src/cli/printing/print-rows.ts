import type { GlobalArguments } from '../options/global-arguments.js';
import { toCsv, toTable, type Column } from './table.js';
import { terminalWidth } from './terminal-width.js';

/** The output options `--json` and `--csv`; without either, rows are printed as a table. */
export interface FormArguments extends GlobalArguments {
  json: boolean;
  csv: boolean;
}

/** The columns of a table, and of CSV for a spreadsheet if they differ. */
export interface RowColumns<Row> {
  readonly table: readonly Column<Row>[];
  readonly csv?: readonly Column<Row>[];
}

/** Prints rows as a table, JSON or CSV. Says on stderr that a table would be empty. */
export function printRows<Row>(
  rows: readonly Row[],
  { table, csv: csvColumns = table }: RowColumns<Row>,
  { json, csv }: Pick<FormArguments, 'json' | 'csv'>,
): void {
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (csv) process.stdout.write(toCsv(rows, csvColumns));
  else if (rows.length === 0) process.stderr.write('The list is empty.\n');
  else process.stdout.write(toTable(rows, table, terminalWidth(process.stdout)));
}
