/** The formats in which rows are imported, exported and reported. */
export const ROW_FORMATS = ['json', 'ndjson', 'csv'] as const;

export type RowFormat = (typeof ROW_FORMATS)[number];

export const CONTENT_TYPES: Readonly<Record<RowFormat, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};
