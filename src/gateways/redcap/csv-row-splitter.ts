import { HeldBytes } from '../../domain/bytes/held-bytes.js';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import { DEFAULT_MAX_RECORD_BYTES, type OnSlice, type SplitterOptions } from './json-array-splitter.js';

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
  readonly #isCounted: boolean;
  readonly #held = new HeldBytes();
  #isQuoted = false;
  #width: number | undefined;
  #isUneven = false;
  #last: Parameters<OnSlice> = [EMPTY, 0, 0];
  #lineEnd: '\n' | '\r\n' | undefined;

  /** @param delimiter the byte between two cells */
  constructor(
    private readonly delimiter: number,
    { maxRecordBytes = DEFAULT_MAX_RECORD_BYTES, isCounted = false }: SplitterOptions = {},
  ) {
    this.#maxRowBytes = maxRecordBytes;
    this.#isCounted = isCounted;
  }

  /** The line end of the first row. */
  get lineEnd(): '\n' | '\r\n' {
    return this.#lineEnd ?? '\n';
  }

  /** @throws {UpstreamInvalidError} a row is too large, or not as wide as the header */
  push(chunk: Buffer, onRow: OnSlice): void {
    const isOddIn = chunk.includes(QUOTE) ? quoteParity(chunk) : () => false;
    let [start, checked] = [0, 0];
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      if (isOddIn(checked, at)) this.#isQuoted = !this.#isQuoted;
      checked = at;
      if (this.#isQuoted) continue;
      this.#emit(chunk, start, at, onRow);
      start = at + 1;
    }
    if (isOddIn(checked, chunk.length)) this.#isQuoted = !this.#isQuoted;
    this.#held.add(chunk.subarray(start));
    if (this.#held.length > this.#maxRowBytes) throw new UpstreamInvalidError(TOO_LARGE);
  }

  /**
   * Reports a last row without line end.
   *
   * @throws {UpstreamInvalidError} it ends inside a quoted cell, or is not as wide as the header
   */
  end(onRow: OnSlice): void {
    if (this.#isQuoted) throw new UpstreamInvalidError(CUT_SHORT);
    this.#emit(EMPTY, 0, 0, onRow, true);
    if (this.#isCounted) this.#isUneven = this.#widthOf(...this.#last) !== (this.#width ?? 1);
    if (this.#isUneven) throw new UpstreamInvalidError(UNEVEN);
  }

  #emit(chunk: Buffer, from: number, to: number, onRow: OnSlice, isLast = false): void {
    let [source, start, end] = [chunk, from, to];
    if (this.#held.length > 0) {
      this.#held.add(chunk.subarray(from, to));
      source = this.#held.take();
      [start, end] = [0, source.length];
    }
    const hasReturn = end > start && source[end - 1] === CARRIAGE_RETURN;
    if (hasReturn) end--;
    if (end === start) return;
    if (end - start > this.#maxRowBytes) throw new UpstreamInvalidError(TOO_LARGE);
    if (this.#isUneven) throw new UpstreamInvalidError(UNEVEN);
    this.#width ??= this.#widthOf(source, start, end);
    if (this.#isCounted) this.#last = [source, start, end];
    else if (this.#widthOf(source, start, end) !== this.#width) {
      this.#isUneven = true;
      return;
    }
    if (!isLast) this.#lineEnd ??= hasReturn ? '\r\n' : '\n';
    onRow(source, start, end);
  }

  #widthOf(source: Buffer, start: number, end: number): number {
    let cells = 1;
    for (let at = start; (at = endOfCell(source, at, this.delimiter, end)) < end; at++) cells++;
    return cells;
  }
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const EMPTY = Buffer.alloc(0);

/**
 * Returns what tells whether the number of quotes between two offsets of a chunk is odd. It looks at four bytes at a time:
 * values with quotes would make thousands of searches for a quote out of a chunk.
 */
function quoteParity(chunk: Buffer): (from: number, to: number) => boolean {
  const first = (4 - (chunk.byteOffset & 3)) & 3;
  const words = new Int32Array(
    chunk.buffer,
    chunk.byteOffset + first,
    Math.max(0, chunk.length - first) >> 2,
  );
  return (from, to) => {
    const begin = Math.min(to, Math.max(first, from + ((first - from) & 3)));
    const end = Math.max(begin, to - ((to - first) & 3));
    let bits = 0;
    for (let at = from; at < begin; at++) if (chunk[at] === QUOTE) bits ^= 0x80;
    for (let at = (begin - first) >> 2; at < (end - first) >> 2; at++) {
      const other = (words[at] ?? 0) ^ 0x22222222;
      // Sets the top bit of each byte that is zero here, which was a quote, and no other bit.
      bits ^= ~(((other & 0x7f7f7f7f) + 0x7f7f7f7f) | other | 0x7f7f7f7f);
    }
    for (let at = end; at < to; at++) if (chunk[at] === QUOTE) bits ^= 0x80;
    return ((bits ^ (bits >>> 16) ^ (bits >>> 8) ^ (bits >>> 24)) & 0x80) !== 0;
  };
}

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
function endOfCell(row: Buffer, from: number, delimiter: number, end = row.length): number {
  let isQuoted = false;
  for (let at = from; at < end; at++) {
    const byte = row[at];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === delimiter && !isQuoted) return at;
  }
  return end;
}

function unquote(cell: string): string {
  return cell.length >= 2 && cell.startsWith('"') && cell.endsWith('"')
    ? cell.slice(1, -1).replaceAll('""', '"')
    : cell;
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
