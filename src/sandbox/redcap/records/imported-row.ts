/** One row of an import: column to value, all text. */
export type ImportedRow = ReadonlyMap<string, string>;
