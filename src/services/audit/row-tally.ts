import type { Readable } from 'node:stream';
import type { AuditNotes } from './audit-entry.js';

/** Counts the rows of an export while its bytes pass. */
export interface RowTally {
  take(chunk: Buffer): void;
  /** Rows so far. */
  readonly rows: number;
}

/** How the bytes of an export are written: a JSON array as REDCap writes it, a row a line, or CSV with a header. */
export interface RowForm {
  readonly format: 'json' | 'ndjson' | 'csv';
  /** NDJSON only: whether the last line is none of a row. */
  readonly hasTrailer?: boolean | undefined;
}

export function rowTally({ format, hasTrailer = false }: RowForm): RowTally {
  return format === 'json' ? new JsonTally() : new LineTally(format === 'csv', hasTrailer);
}

/**
 * Takes down how many rows of a body have passed. Call it in the turn in which somebody else begins to read the body, and
 * before: listening makes it flow.
 */
export function countRows(body: Readable, form: RowForm, notes: AuditNotes): void {
  const tally = rowTally(form);
  notes.add({ rows: 0 });
  body.on('data', (chunk: Buffer) => {
    tally.take(chunk);
    notes.add({ rows: tally.rows });
  });
}

const BETWEEN_ROWS = Buffer.from('},{"');
const FIRST_ROW = Buffer.from('[{');

/**
 * Rows of a JSON array without blanks between its tokens, as REDCap and the sandbox write it. It is not parsed: two rows
 * meet in `},{"` and the first letter of a name. Within a value these four end the value, and what follows is no letter.
 */
class JsonTally implements RowTally {
  rows = 0;
  #tail: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  take(chunk: Buffer): void {
    const bytes = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    if (!this.#hasBegun && bytes.length >= FIRST_ROW.length) {
      this.#hasBegun = true;
      if (bytes.subarray(0, FIRST_ROW.length).equals(FIRST_ROW)) this.rows = 1;
    }
    // The place of a match that the next chunk completes is found again there, and counted once.
    const last = bytes.length - BETWEEN_ROWS.length - 1;
    for (
      let at = bytes.indexOf(BETWEEN_ROWS);
      at !== -1 && at <= last;
      at = bytes.indexOf(BETWEEN_ROWS, at + 1)
    ) {
      if (isName(bytes[at + BETWEEN_ROWS.length])) this.rows += 1;
    }
    // A copy: the memory of a chunk is used again.
    this.#tail = Buffer.from(bytes.subarray(this.#hasBegun ? Math.max(0, last + 1) : 0));
  }
}

/** What follows a value is a comma, a bracket or a colon; what begins a name is none of them. */
function isName(byte: number | undefined): boolean {
  return byte !== COMMA && byte !== BRACE && byte !== BRACKET && byte !== COLON;
}

/** Lines that are not empty; in CSV a line break between quotes ends none, and the first line is the header. */
class LineTally implements RowTally {
  readonly #isCsv: boolean;
  /** Lines that are none of a row. */
  readonly #others: number;
  #lines = 0;
  #isQuoted = false;
  #hasContent = false;

  constructor(isCsv: boolean, hasTrailer: boolean) {
    this.#isCsv = isCsv;
    this.#others = isCsv || hasTrailer ? 1 : 0;
  }

  get rows(): number {
    const lines = this.#lines + (this.#hasContent ? 1 : 0);
    return Math.max(0, lines - this.#others);
  }

  take(chunk: Buffer): void {
    const quote = this.#isCsv ? QUOTE : -1;
    // By index: an iterator takes three times as long.
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === LINE_FEED && !this.#isQuoted) {
        if (this.#hasContent) this.#lines += 1;
        this.#hasContent = false;
      } else if (byte !== CARRIAGE_RETURN) {
        this.#hasContent = true;
        if (byte === quote) this.#isQuoted = !this.#isQuoted;
      }
    }
  }
}

const [LINE_FEED, CARRIAGE_RETURN, QUOTE, COMMA, COLON, BRACKET, BRACE] = [10, 13, 34, 44, 58, 93, 125];
