/**
 * Recognises a first line such as `sep=;`, which tells Excel the delimiter of a CSV file and is no header: no column name
 * contains `=`.
 *
 * @param start the beginning of the file, without a byte order mark; at least `LONGEST_DELIMITER_LINE` characters if it
 *   has as many
 * @returns the delimiter, and where the line ends, before its line break; undefined for any other line
 */
export function delimiterLine(
  start: string,
): { readonly delimiter: string; readonly end: number } | undefined {
  const [line, delimiter] = /^"?sep=([^\r\n"])"?(?=[\r\n]|$)/i.exec(start) ?? [];
  return line === undefined || delimiter === undefined ? undefined : { delimiter, end: line.length };
}

/** `"sep=;"` and the end of the line. */
export const LONGEST_DELIMITER_LINE = 8;
