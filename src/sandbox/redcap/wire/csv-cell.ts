export interface CsvCellOptions {
  /** A comma by default. */
  readonly delimiter?: string;
  /** Whether to quote the cell whatever its content. */
  readonly isQuoted?: boolean;
  /** Whether cells with spaces or tabs stay unquoted. */
  readonly hasBareBlanks?: boolean;
}

/**
 * Writes one CSV cell. It is quoted if it contains the delimiter, a double quote, a space, a tab or a line break.
 *
 * @see docs/protocol/redcap.md 1.8 (wire)
 */
export function csvCell(
  value: string,
  { delimiter = ',', isQuoted = false, hasBareBlanks = false }: CsvCellOptions = {},
): string {
  const isSpecial = (hasBareBlanks ? /["\r\n]/ : /["\r\n\t ]/).test(value) || value.includes(delimiter);
  return isQuoted || isSpecial ? `"${value.replaceAll('"', '""')}"` : value;
}
