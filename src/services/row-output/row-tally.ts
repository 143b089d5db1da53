import { QuoteParity } from './quote-parity.js';
import type { RowFormat } from './row-format.js';

/** Counts rows while their bytes pass. Chunks may be cut anywhere. */
export interface RowTally {
  take(chunk: Buffer): void;
  /** The number of rows so far. */
  readonly rows: number;
}

/** The form of the bytes to count. */
export interface CountedForm {
  /** A JSON array of flat objects, one row per line, or CSV with a header. */
  readonly format: RowFormat;
  /** JSON only: whether there is no whitespace between tokens, as in REDCap's output. Counting is then faster. */
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

/** Counts the rows of any JSON array of flat objects: every closing brace outside a string ends a row. */
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
    // The character after a backslash may be in the next chunk.
    this.#isEscaped = at > chunk.length;
    this.#isInString = isInString;
    this.rows += rows;
  }
}

/**
 * Counts the rows of a JSON array without whitespace between tokens by searching instead of scanning. Two rows meet in
 * `},{"` followed by the first letter of a name. Inside a string these four bytes would end the string, and no letter
 * may follow its end.
 */
class CompactJsonTally implements RowTally {
  rows = 0;
  #tail: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  take(chunk: Buffer): void {
    if (this.#tail.length === 0) return this.#search(chunk);
    // Searches the rest of the last chunk together with only the beginning of this one, because copying the whole chunk
    // would take time.
    const seam = Buffer.concat([this.#tail, chunk.subarray(0, SEAM_BYTES)]);
    this.#search(seam);
    // The seam has already searched the beginning of this chunk, except for its last four bytes.
    if (chunk.length > SEAM_BYTES) this.#search(chunk.subarray(SEAM_BYTES - this.#tail.length));
  }

  #search(bytes: Buffer): void {
    if (!this.#hasBegun && bytes.length >= FIRST_ROW.length) {
      this.#hasBegun = true;
      if (bytes.subarray(0, FIRST_ROW.length).equals(FIRST_ROW)) this.rows = 1;
    }
    // A match that is completed by the next chunk is found there and counted once.
    const last = bytes.length - BETWEEN_ROWS.length - 1;
    for (
      let at = bytes.indexOf(BETWEEN_ROWS);
      at !== -1 && at <= last;
      at = bytes.indexOf(BETWEEN_ROWS, at + 1)
    ) {
      if (isName(bytes[at + BETWEEN_ROWS.length])) this.rows += 1;
    }
    // Copied because the memory of a chunk is reused.
    this.#tail = Buffer.from(bytes.subarray(this.#hasBegun ? Math.max(0, last + 1) : 0));
  }
}

/**
 * Returns whether a byte may begin a name. The end of a string is followed by a comma, a closing bracket or a colon
 * instead.
 */
function isName(byte: number | undefined): boolean {
  return byte !== COMMA && byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET && byte !== COLON;
}

/** Counts non-empty lines. Line breaks in values are escaped. */
class NdjsonTally implements RowTally {
  /** The number of lines that are not rows. */
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

/** Returns whether part of a line contains more than the carriage return of its end. */
function hasContent(chunk: Buffer, start: number, end: number): boolean {
  return end - start > 1 || (end - start === 1 && chunk[start] !== CARRIAGE_RETURN);
}

/** Counts non-empty lines except the header. A line break after an odd number of quotes belongs to a value. */
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

  /** Processes a line, or the part of it that the chunk contains. */
  #pass(chunk: Buffer, start: number, end: number, quotes: QuoteParity): void {
    if (hasContent(chunk, start, end)) this.#hasContent = true;
    if (quotes.isOdd(start, end)) this.#isQuoted = !this.#isQuoted;
  }
}

const BETWEEN_ROWS = Buffer.from('},{"');
const FIRST_ROW = Buffer.from('[{');
/** More than a match and the letter after it. */
const SEAM_BYTES = 64;
const [LINE_FEED, CARRIAGE_RETURN, QUOTE, COMMA, COLON] = [0x0a, 0x0d, 0x22, 0x2c, 0x3a];
const [BACKSLASH, CLOSE_BRACKET, CLOSE_BRACE] = [0x5c, 0x5d, 0x7d];
