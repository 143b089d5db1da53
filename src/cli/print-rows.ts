import type { GlobalArguments } from './global-arguments.js';
import { toCsv, toTable, type Column } from './table.js';
import { terminalWidth } from './terminal-width.js';

/** `--json` and `--csv`; a table without either. */
export interface FormArguments extends GlobalArguments {
  json: boolean;
  csv: boolean;
}

/** What a row shows: to people, and to programs where that differs. */
export interface RowColumns<Row> {
  readonly table: readonly Column<Row>[];
  readonly csv?: readonly Column<Row>[];
}

/** Prints rows as a table, or as the options say. */
export function printRows<Row>(
  rows: readonly Row[],
  { table, csv: csvColumns = table }: RowColumns<Row>,
  { json, csv }: Pick<FormArguments, 'json' | 'csv'>,
): void {
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (csv) process.stdout.write(toCsv(rows, csvColumns));
  else process.stdout.write(toTable(rows, table, terminalWidth(process.stdout)));
}
