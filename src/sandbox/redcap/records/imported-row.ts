/** One row of an import: its text values by column. */
export type ImportedRow = ReadonlyMap<string, string>;
