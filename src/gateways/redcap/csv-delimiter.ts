/**
 * The characters that can separate CSV cells, by their `csvDelimiter` value.
 *
 * @see docs/protocol/redcap.md 4.1 (doc): the tab is given as a word
 */
export const CSV_DELIMITERS = { ',': ',', tab: '\t', ';': ';', '|': '|', '^': '^' } as const;

export type CsvDelimiter = keyof typeof CSV_DELIMITERS;

export function isCsvDelimiter(name: unknown): name is CsvDelimiter {
  return typeof name === 'string' && Object.hasOwn(CSV_DELIMITERS, name);
}

/** Returns the byte that separates cells: a comma by default. */
export function delimiterByte(name: CsvDelimiter = ','): number {
  return CSV_DELIMITERS[name].charCodeAt(0);
}
