/** Returns the unquoted cells of a CSV row, at most the first `limit`. */
export function csvCells(row: Buffer, delimiter: number, limit = Infinity): string[] {
  const cells: string[] = [];
  let at = row.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  while (at <= row.length && cells.length < limit) {
    const end = endOfCell(row, at, delimiter);
    cells.push(unquote(row.toString('utf8', at, end)));
    at = end + 1;
  }
  return cells;
}

/** Returns where the cell that begins at `from` ends: at its delimiter, or at the end of the row. */
export function endOfCell(row: Buffer, from: number, delimiter: number): number {
  let isQuoted = false;
  for (let at = from; at < row.length; at++) {
    if (row[at] === QUOTE) isQuoted = !isQuoted;
    else if (row[at] === delimiter && !isQuoted) return at;
  }
  return row.length;
}

function unquote(cell: string): string {
  return cell.length >= 2 && cell.startsWith('"') && cell.endsWith('"')
    ? cell.slice(1, -1).replaceAll('""', '"')
    : cell;
}

const QUOTE = 0x22;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
