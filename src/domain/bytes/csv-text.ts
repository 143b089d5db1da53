/** Writes rows as CSV with commas, quoting the cells that have to be. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map((text) => csvCell(text)).join(',')}\n`).join('');
}

/**
 * Writes a cell of CSV, in quotes if it has to be.
 *
 * @param special what has to be in quotes besides the delimiter
 */
export function csvCell(text: string, delimiter = ',', special = NEEDS_QUOTES): string {
  return special.test(text) || text.includes(delimiter) ? quotedCell(text) : text;
}

export function quotedCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const NEEDS_QUOTES = /["\r\n]/;
/** What REDCap quotes. @see docs/protocol/redcap.md 1.8 (wire) */
export const REDCAP_QUOTES = /["\r\n\t ]/;
