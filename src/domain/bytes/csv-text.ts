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

/** Returns the cells of a row, so many at most; undefined if its quotes are not those of whole cells. */
export function splitCsvRow(text: string, delimiter: string, most = Infinity): readonly string[] | undefined {
  if (!text.includes('"')) return text.split(delimiter, Number.isFinite(most) ? most : undefined);
  const cells: string[] = [];
  for (let at = 0; at <= text.length && cells.length < most;) {
    const end = text[at] === '"' ? endOfQuoted(text, at + 1) : endOf(text, delimiter, at);
    const cell = text.slice(at, end);
    const isWhole = end === text.length || text[end] === delimiter;
    if (cell.startsWith('"') ? !isWhole : cell.includes('"')) return undefined;
    cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    at = end + 1;
  }
  return cells;
}

/** @returns the position behind the closing quote, before which two quotes stand for one */
function endOfQuoted(text: string, from: number): number {
  let at = endOf(text, '"', from);
  while (text[at + 1] === '"') at = endOf(text, '"', at + 2);
  return at + 1;
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at;
}

const NEEDS_QUOTES = /["\r\n]/;
/** What REDCap quotes. @see docs/protocol/redcap.md 1.8 (wire) */
export const REDCAP_QUOTES = /["\r\n\t ]/;
