import type { CsvStyle, ListAnswer, Row } from './answer.js';

/** Answers with a list of rows with the given columns, in this order. Missing cells are blank. */
export function listAnswer(
  rows: readonly Row[],
  columns: readonly string[],
  csv: Partial<CsvStyle> = {},
): ListAnswer {
  return {
    kind: 'list',
    columns,
    rows: rows.map((row) => columns.map((column) => row[column] ?? '')),
    root: 'items',
    csv: { hasTrailingLineFeed: true, ...csv },
  };
}
