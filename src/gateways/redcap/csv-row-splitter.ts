import { byteTable } from '../../domain/bytes/json-scan.js';
import { HeldBytes } from '../../domain/bytes/held-bytes.js';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import { DEFAULT_MAX_RECORD_BYTES, type OnSlice } from './json-array-splitter.js';

/**
 * Splits CSV into the bytes of its rows, starting with the header, without line ends. Line breaks inside quoted cells
 * belong to the cell. Empty lines are skipped. Chunks may be cut anywhere.
 *
 * A row that is not as wide as the header is refused once another row follows it, or at the end: the last line of an
 * answer can be an error of REDCap, which whoever reads that answer tells apart.
 *
 * @see docs/protocol/redcap.md 1.8 (wire, client)
 */
export class CsvRowSplitter {
  readonly #maxRowBytes: number;
  readonly #delimiter: number;
  /** One lookup passes most bytes, which is faster than three comparisons. */
  readonly #isSpecial: Uint8Array;
  readonly #held = new HeldBytes();
  #isQuoted = false;
  #cells = 1;
  #width: number | undefined;
  #isUneven = false;
  #lineEnd: '\n' | '\r\n' | undefined;

  /** @param delimiter the byte between two cells */
  constructor(delimiter: number, options: { readonly maxRecordBytes?: number | undefined } = {}) {
    this.#delimiter = delimiter;
    this.#isSpecial = byteTable([QUOTE, LINE_FEED, delimiter]);
    this.#maxRowBytes = options.maxRecordBytes ?? DEFAULT_MAX_RECORD_BYTES;
  }

  /** The line end of the first row. */
  get lineEnd(): '\n' | '\r\n' {
    return this.#lineEnd ?? '\n';
  }

  /** @throws {UpstreamInvalidError} a row is too large, or not as wide as the header */
  push(chunk: Buffer, onRow: OnSlice): void {
    const [isSpecial, delimiter] = [this.#isSpecial, this.#delimiter];
    let [isQuoted, cells, start] = [this.#isQuoted, this.#cells, 0];
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (isSpecial[byte] === 0) continue;
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (byte === delimiter) cells++;
      else {
        this.#cells = cells;
        this.#emit(chunk, start, at, onRow);
        cells = 1;
        start = at + 1;
      }
    }
    this.#isQuoted = isQuoted;
    this.#cells = cells;
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /**
   * Reports a last row without line end.
   *
   * @throws {UpstreamInvalidError} it ends inside a quoted cell, or is not as wide as the header
   */
  end(onRow: OnSlice): void {
    if (this.#isQuoted) throw new UpstreamInvalidError(CUT_SHORT);
    this.#emit(EMPTY, 0, 0, onRow, true);
    if (this.#isUneven) throw new UpstreamInvalidError(UNEVEN);
  }

  #emit(chunk: Buffer, from: number, to: number, onRow: OnSlice, isLast = false): void {
    const isSplit = this.#held.length > 0;
    if (isSplit) this.#held.add(chunk.subarray(from, to));
    const source = isSplit ? this.#held.take() : chunk;
    const start = isSplit ? 0 : from;
    const end = isSplit ? source.length : to;

    const hasReturn = end > start && source[end - 1] === CARRIAGE_RETURN;
    const rowEnd = hasReturn ? end - 1 : end;
    if (rowEnd === start) return;
    if (rowEnd - start > this.#maxRowBytes) throw new UpstreamInvalidError(TOO_LARGE);
    if (this.#isUneven) throw new UpstreamInvalidError(UNEVEN);
    this.#width ??= this.#cells;
    this.#isUneven = this.#cells !== this.#width;
    if (this.#isUneven) return;
    if (!isLast) this.#lineEnd ??= hasReturn ? '\r\n' : '\n';
    onRow(source, start, rowEnd);
  }

  #hold(rest: Buffer): void {
    this.#held.add(rest);
    if (this.#held.length > this.#maxRowBytes) throw new UpstreamInvalidError(TOO_LARGE);
  }
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const EMPTY = Buffer.alloc(0);

const CUT_SHORT = "REDCap's answer ended inside a CSV cell.";
const UNEVEN = "A row of REDCap's answer has more or fewer cells than its header.";
const TOO_LARGE = 'A row is larger than this service reads. Ask for fewer fields.';

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

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
