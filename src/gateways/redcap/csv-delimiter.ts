/**
 * The characters that may separate the cells of a CSV, by the name that `csvDelimiter` has for them.
 *
 * @see docs/protocol/redcap.md 4.1 (doc): the tab has a word
 */
export const CSV_DELIMITERS = { ',': ',', tab: '\t', ';': ';', '|': '|', '^': '^' } as const;

export type CsvDelimiter = keyof typeof CSV_DELIMITERS;

/** The byte that separates cells; a comma when nothing is asked for. */
export function delimiterByte(name: CsvDelimiter = ','): number {
  return CSV_DELIMITERS[name].charCodeAt(0);
}
