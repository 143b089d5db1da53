const DELIMITERS = [',', ';', '\t'];

/**
 * Finds the delimiter of a CSV file: the one that a first line such as `sep=;` names for Excel, or else the one that
 * separates the known names in the header. If none does, it is the comma.
 *
 * @param isKnown whether a header cell, without quotes and surrounding blanks, is a column of such a file
 * @returns the delimiter, and the file without that first line
 */
export function withDelimiter(
  text: string,
  isKnown: (name: string) => boolean,
): { readonly delimiter: string; readonly table: string } {
  // A byte order mark counts as a blank.
  const [line = '', named] = /^\s*"?sep=([,;\t])"?(?:\r?\n|$)/i.exec(text) ?? [];
  const table = text.slice(line.length);
  const [header = ''] = /^\s*[^\r\n]*/.exec(table) ?? [];
  const knownBy = (delimiter: string): number =>
    header.split(delimiter).filter((cell) => isKnown(cell.replaceAll('"', '').trim())).length;
  const [likeliest = ','] = [...DELIMITERS].sort((one, other) => knownBy(other) - knownBy(one));
  return { delimiter: named ?? likeliest, table };
}
