const DELIMITERS = [',', ';', '\t'];

/** The part of a file in which the names of its columns are looked for. */
const HEADER_CHARACTERS = 16_384;

/**
 * Finds the delimiter of a CSV file: the one that a first line such as `sep=;` names for Excel, or else the one that
 * separates the known names in the header. If none does, it is the comma.
 *
 * @param isKnown whether a header cell, without quotes and surrounding blanks, is a column of such a file
 * @returns the delimiter, the file without that first line and without a byte order mark, and the lines that were taken off
 */
export function withDelimiter(
  text: string,
  isKnown: (name: string) => boolean,
): { readonly delimiter: string; readonly table: string; readonly linesBefore: number } {
  const unmarked = text.replace(/^\u{feff}/u, '');
  const named = delimiterLine(unmarked);
  // Its line break would count as an empty line.
  const table = named === undefined ? unmarked : unmarked.slice(named.end).replace(/^(?:\r?\n|\r)/, '');
  const [header = ''] = /^\s*[^\r\n]*/.exec(table.slice(0, HEADER_CHARACTERS)) ?? [];
  const knownBy = (delimiter: string): number =>
    header.split(delimiter).filter((cell) => isKnown(cell.replaceAll('"', '').trim())).length;
  const [likeliest = ','] = [...DELIMITERS].sort((one, other) => knownBy(other) - knownBy(one));
  return { delimiter: named?.delimiter ?? likeliest, table, linesBefore: named === undefined ? 0 : 1 };
}

/**
 * Recognises a first line such as `sep=;`, which tells Excel the delimiter of a CSV file and is no header: no column name
 * contains `=`.
 *
 * @param start the beginning of the file, without a byte order mark
 * @returns the delimiter, and where the line ends, before its line break; undefined for any other line
 */
export function delimiterLine(
  start: string,
): { readonly delimiter: string; readonly end: number } | undefined {
  const [line, delimiter] = /^"?sep=([^\r\n"])"?(?=[\r\n]|$)/i.exec(start) ?? [];
  return line === undefined || delimiter === undefined ? undefined : { delimiter, end: line.length };
}
