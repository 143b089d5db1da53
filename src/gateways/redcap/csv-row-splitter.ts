import { endianness } from 'node:os';
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
  readonly #held = new HeldBytes();
  /** 1 inside quotes. */
  #quoted = 0;
  #cells = 1;
  #width: number | undefined;
  #isUneven = false;
  #lineEnd: '\n' | '\r\n' | undefined;

  /** @param delimiter the byte between two cells */
  constructor(
    private readonly delimiter: number,
    { maxRecordBytes = DEFAULT_MAX_RECORD_BYTES }: SplitterOptions = {},
  ) {
    this.#maxRowBytes = maxRecordBytes;
  }

  /** The line end of the first row. */
  get lineEnd(): '\n' | '\r\n' {
    return this.#lineEnd ?? '\n';
  }

  /** @throws {UpstreamInvalidError} a row is too large, or not as wide as the header */
  push(chunk: Buffer, onRow: OnSlice): void {
    const words = wordsOf(chunk);
    let [start, passed] = [0, 0];
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      this.#countCells(chunk, words, passed, at);
      passed = at;
      if (this.#quoted === 1) continue;
      this.#emit(chunk, start, at, onRow);
      this.#cells = 1;
      start = at + 1;
    }
    this.#countCells(chunk, words, passed, chunk.length);
    this.#held.add(chunk.subarray(start));
    if (this.#held.length > this.#maxRowBytes) throw new UpstreamInvalidError(TOO_LARGE);
  }

  /**
   * Reports a last row without line end.
   *
   * @throws {UpstreamInvalidError} it ends inside a quoted cell, or is not as wide as the header
   */
  end(onRow: OnSlice): void {
    if (this.#quoted === 1) throw new UpstreamInvalidError(CUT_SHORT);
    this.#emit(EMPTY, 0, 0, onRow, true);
    if (this.#isUneven) throw new UpstreamInvalidError(UNEVEN);
  }

  /**
   * Counts the delimiters outside quotes, four bytes at a time and without a branch: which byte is a quote cannot be guessed.
   * A loop over bytes takes twice as long, a search for each quote or delimiter four times.
   */
  #countCells(chunk: Buffer, words: Int32Array, from: number, to: number): void {
    const begin = IS_LITTLE_ENDIAN ? Math.min(to, from + (-(chunk.byteOffset + from) & 3)) : to;
    const count = (to - begin) >> 2;
    this.#countInBytes(chunk, from, begin);
    const first = (begin - (-chunk.byteOffset & 3)) >> 2;
    const delimiters = Math.imul(this.delimiter, 0x01010101);
    // All bits are set inside quotes.
    let [state, cells] = [-this.#quoted, this.#cells];
    for (let at = first; at < first + count; at++) {
      const word = words[at] ?? 0;
      const quotes = zeroBytes(word ^ QUOTES);
      // Of each byte: whether the number of quotes up to it is odd.
      const pairs = quotes ^ (quotes << 8);
      const inside = pairs ^ (pairs << 16) ^ state;
      cells += Math.imul((zeroBytes(word ^ delimiters) & ~inside) >>> 7, 0x01010101) >>> 24;
      state = inside >> 31;
    }
    [this.#quoted, this.#cells] = [state & 1, cells];
    this.#countInBytes(chunk, begin + count * 4, to);
  }

  #countInBytes(chunk: Buffer, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      if (chunk[at] === QUOTE) this.#quoted ^= 1;
      else if (chunk[at] === this.delimiter && this.#quoted === 0) this.#cells++;
    }
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
    this.#width ??= this.#cells;
    this.#isUneven = this.#cells !== this.#width;
    if (this.#isUneven) return;
    if (!isLast) this.#lineEnd ??= hasReturn ? '\r\n' : '\n';
    onRow(source, start, end);
  }
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const EMPTY = Buffer.alloc(0);

const QUOTES = 0x22222222;
/** In a word, the first byte has to be the lowest. */
const IS_LITTLE_ENDIAN = endianness() === 'LE';

/** Returns the words of a chunk that a typed array can have: those at multiples of four bytes. */
function wordsOf({ buffer, byteOffset, length }: Buffer): Int32Array {
  const head = -byteOffset & 3;
  return length < 4 ? NO_WORDS : new Int32Array(buffer, byteOffset + head, (length - head) >> 2);
}

const NO_WORDS = new Int32Array(0);

/** Sets the top bit of each byte of a word that is zero, and no other bit. */
function zeroBytes(word: number): number {
  return ~(((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word | 0x7f7f7f7f);
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
function endOfCell(row: Buffer, from: number, delimiter: number): number {
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
