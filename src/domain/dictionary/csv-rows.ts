import { setImmediate } from 'node:timers/promises';
import { splitCsvRow } from '../bytes/csv-text.js';
import { refusal } from '../errors/refusal.js';

/** One row of a CSV file, possibly the header. */
export interface CsvRow {
  /**
   * Counted as in a spreadsheet: the header is 1, empty lines count, and a row with line breaks in its cells counts
   * once.
   */
  readonly number: number;
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** How much of a CSV file is read; everything by default. */
export interface CsvRowLimits {
  /** The maximum number of rows, with the header. */
  readonly rows?: number;
  /** The maximum number of characters of a row, with its delimiters. */
  readonly rowCharacters?: number;
  /** The number of lines that were taken off before the text; none by default. */
  readonly linesBefore?: number;
}

/**
 * Reads the rows of a CSV file, a piece at a time: others have their turn between two. A byte order mark and empty lines
 * are skipped.
 *
 * @param file how errors name the file
 * @param delimiter one character
 * @throws {InvalidRequestError} naming the row
 */
export async function readCsvRows(
  file: string,
  text: string,
  delimiter = ',',
  { rows: maxRows = Infinity, rowCharacters = Infinity, linesBefore = 0 }: CsvRowLimits = {},
): Promise<CsvRow[]> {
  const table = text.replace(/^\ufeff/, '');
  const rows: CsvRow[] = [];
  let [number, line, lastTurn] = [0, linesBefore + 1, 0];
  let rowEnd: string | undefined;
  for (let at = 0; at < table.length;) {
    const end = endOfRow(table, at, rowEnd, rowCharacters);
    const place = `${file} row ${(number += 1)} (line ${line})`;
    if (end - at > rowCharacters) throw refusal(place, `has more than ${rowCharacters} characters`);
    if (end > at) {
      if (rows.length === maxRows) throw refusal(file, `has more than ${maxRows} rows`);
      const cells = splitCsvRow(table.slice(at, end), delimiter);
      if (cells === undefined) throw refusal(place, 'is not valid CSV');
      if (cells.length !== (rows[0]?.cells ?? cells).length)
        throw refusal(place, 'has another number of cells than the header');
      rows.push({ number, line, cells });
    }
    rowEnd ??= table.startsWith('\r\n', end) ? '\r\n' : (table[end] ?? '');
    const next = end + rowEnd.length;
    line += table.slice(at, next).match(/\r\n?|\n/g)?.length ?? 0;
    at = next;
    if (at - lastTurn < TURN_CHARACTERS) continue;
    lastTurn = at;
    await setImmediate();
  }
  return rows;
}

/** Some milliseconds of work. */
const TURN_CHARACTERS = 16 * 1024;

/**
 * @param rowEnd the line break that ends a row, which is that of the first; any if undefined
 * @returns the position of the line break, at most one more than `most` characters from the start
 */
function endOfRow(text: string, start: number, rowEnd: string | undefined, most: number): number {
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    const isBreak = !isQuoted && (character === '\n' || character === '\r');
    if (at - start > most || (isBreak && text.startsWith(rowEnd ?? '', at))) return at;
  }
  return text.length;
}
