export interface CsvCellOptions {
  /** A comma by default. */
  readonly delimiter?: string;
  /** Quotes, whatever the cell holds. */
  readonly isQuoted?: boolean;
  /** Whether a blank alone is no reason for quotes. */
  readonly hasBareBlanks?: boolean;
}

/**
 * Writes one cell of CSV: quoted when it holds the delimiter, a double quote, a space, a tab or a line break.
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
