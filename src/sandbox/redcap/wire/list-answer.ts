import type { Answer, CsvStyle, Row } from './answer.js';

/** A list of rows with these columns, in this order; what a row lacks is blank. */
export function listAnswer(
  rows: readonly Row[],
  columns: readonly string[],
  csv: Partial<CsvStyle> = {},
): Answer {
  return {
    kind: 'list',
    columns,
    rows: rows.map((row) => columns.map((column) => row[column] ?? '')),
    root: 'items',
    csv: { hasTrailingLineFeed: true, ...csv },
  };
}
