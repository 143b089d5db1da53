/** The formats in which rows are imported, exported and reported. */
export const ROW_FORMATS = ['json', 'ndjson', 'csv'] as const;

export type RowFormat = (typeof ROW_FORMATS)[number];
