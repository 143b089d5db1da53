import { QuoteParity } from './quote-parity.js';
import type { RowFormat } from './row-format.js';

/** Counts rows while their bytes pass, in chunks that may be cut anywhere. */
export interface RowTally {
  take(chunk: Buffer): void;
  /** Rows so far. */
  readonly rows: number;
}

/** How the bytes that are counted are written. */
export interface CountedForm {
  /** A JSON array of flat objects, one row per line, or CSV with a header. */
  readonly format: RowFormat;
  /** JSON only: whether there are no blanks between tokens, as in what REDCap writes. Counting is then faster. */
  readonly isCompact?: boolean | undefined;
  /** NDJSON only: whether the last line is a trailer and not a row. */
  readonly hasTrailer?: boolean | undefined;
}

export function rowTally({ format, isCompact = false, hasTrailer = false }: CountedForm): RowTally {
  switch (format) {
    case 'json':
      return isCompact ? new CompactJsonTally() : new JsonTally();
    case 'ndjson':
      return new NdjsonTally(hasTrailer);
    case 'csv':
      return new CsvTally();
  }
}

/** Any JSON array of flat objects: every closing brace outside a string ends a row. */
class JsonTally implements RowTally {
  rows = 0;
  #isInString = false;
  #isEscaped = false;

  take(chunk: Buffer): void {
    let isInString = this.#isInString;
    let rows = 0;
    let at = this.#isEscaped ? 1 : 0;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === QUOTE) isInString = !isInString;
      else if (byte === CLOSE_BRACE && !isInString) rows++;
      else if (byte === BACKSLASH && isInString) at++;
    }
    // The character after a backslash may be the first of the next chunk.
    this.#isEscaped = at > chunk.length;
    this.#isInString = isInString;
    this.rows += rows;
  }
}

/**
 * A JSON array without blanks between its tokens. It is searched, not scanned: two rows meet in `},{"` and the first
 * letter of a name. Inside a string these four bytes would end the string, and no letter may follow its end.
 */
class CompactJsonTally implements RowTally {
  rows = 0;
  #tail: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  take(chunk: Buffer): void {
    if (this.#tail.length === 0) return this.#search(chunk);
    // What the last chunk has left is searched with the beginning of this one alone: a copy of all of it takes time.
    const seam = Buffer.concat([this.#tail, chunk.subarray(0, SEAM_BYTES)]);
    this.#search(seam);
    // Of this chunk, the seam has searched all but its last four bytes.
    if (chunk.length > SEAM_BYTES) this.#search(chunk.subarray(SEAM_BYTES - this.#tail.length));
  }

  #search(bytes: Buffer): void {
    if (!this.#hasBegun && bytes.length >= FIRST_ROW.length) {
      this.#hasBegun = true;
      if (bytes.subarray(0, FIRST_ROW.length).equals(FIRST_ROW)) this.rows = 1;
    }
    // A match that only the next chunk completes is found there, and counted once.
    const last = bytes.length - BETWEEN_ROWS.length - 1;
    for (
      let at = bytes.indexOf(BETWEEN_ROWS);
      at !== -1 && at <= last;
      at = bytes.indexOf(BETWEEN_ROWS, at + 1)
    ) {
      if (isName(bytes[at + BETWEEN_ROWS.length])) this.rows += 1;
    }
    // A copy: the memory of a chunk is reused.
    this.#tail = Buffer.from(bytes.subarray(this.#hasBegun ? Math.max(0, last + 1) : 0));
  }
}

/** After the end of a string there is a comma, a bracket or a colon; the first letter of a name is none of them. */
function isName(byte: number | undefined): boolean {
  return byte !== COMMA && byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET && byte !== COLON;
}

/** Lines that are not empty. Line breaks in values are escaped. */
class NdjsonTally implements RowTally {
  /** Lines that are not rows. */
  readonly #others: number;
  #lines = 0;
  #hasContent = false;

  constructor(hasTrailer: boolean) {
    this.#others = hasTrailer ? 1 : 0;
  }

  get rows(): number {
    return Math.max(0, this.#lines + (this.#hasContent ? 1 : 0) - this.#others);
  }

  take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      if (this.#hasContent || hasContent(chunk, start, end)) this.#lines += 1;
      this.#hasContent = false;
      start = end + 1;
    }
    if (hasContent(chunk, start, chunk.length)) this.#hasContent = true;
  }
}

/** Whether part of a line is more than the carriage return of its end. */
function hasContent(chunk: Buffer, start: number, end: number): boolean {
  return end - start > 1 || (end - start === 1 && chunk[start] !== CARRIAGE_RETURN);
}

/** Lines that are not empty, without the header. A line break behind an odd number of quotes belongs to a value. */
class CsvTally implements RowTally {
  #lines = 0;
  #isQuoted = false;
  #hasContent = false;

  get rows(): number {
    return Math.max(0, this.#lines + (this.#hasContent ? 1 : 0) - 1);
  }

  take(chunk: Buffer): void {
    const quotes = new QuoteParity(chunk);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#pass(chunk, start, end, quotes);
      if (!this.#isQuoted) {
        if (this.#hasContent) this.#lines += 1;
        this.#hasContent = false;
      }
      start = end + 1;
    }
    this.#pass(chunk, start, chunk.length, quotes);
  }

  /** Passes a line, or what a chunk holds of it. */
  #pass(chunk: Buffer, start: number, end: number, quotes: QuoteParity): void {
    if (hasContent(chunk, start, end)) this.#hasContent = true;
    if (quotes.isOdd(start, end)) this.#isQuoted = !this.#isQuoted;
  }
}

const BETWEEN_ROWS = Buffer.from('},{"');
const FIRST_ROW = Buffer.from('[{');
/** More than a match and the letter behind it. */
const SEAM_BYTES = 64;
const [LINE_FEED, CARRIAGE_RETURN, QUOTE, COMMA, COLON] = [0x0a, 0x0d, 0x22, 0x2c, 0x3a];
const [BACKSLASH, CLOSE_BRACKET, CLOSE_BRACE] = [0x5c, 0x5d, 0x7d];
