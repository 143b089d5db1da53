/** Writes rows as CSV with commas, quoting the cells that have to be. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(quotedIfNeeded).join(',')}\n`).join('');
}

/** @returns a cell of CSV with commas, in quotes if it has to be */
export function quotedIfNeeded(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
