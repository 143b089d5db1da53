import { setImmediate } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import type { InvalidRequestError } from '../errors/caller-errors.js';
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
 * @throws {InvalidRequestError} naming the row; the parser's own error is not kept, because it contains cells
 */
export async function readCsvRows(
  file: string,
  text: string,
  delimiter = ',',
  { rows: maxRows = Infinity, rowCharacters = 0, linesBefore = 0 }: CsvRowLimits = {},
): Promise<CsvRow[]> {
  const bytes = Buffer.from(text.replace(/^\ufeff/, ''));
  const lines = new Lines(bytes, linesBefore + 1);
  const rows: CsvRow[] = [];
  const parser = parse({
    delimiter,
    skip_empty_lines: true,
    max_record_size: rowCharacters,
    on_record: (cells: string[], { records, empty_lines, bytes: end }) => {
      if (rows.length === maxRows) throw refusal(file, `has more than ${maxRows} rows`);
      rows.push({ number: records + empty_lines, line: lines.next(), cells });
      lines.goTo(end);
      return null;
    },
  });
  const ended = (): number => parser.info.records + parser.info.empty_lines;
  const refused = (message: string): InvalidRequestError =>
    refusal(`${file} row ${ended() + 1} (line ${lines.next()})`, message);
  const tooLong = `has more than ${rowCharacters} characters`;
  async function* pieces(): AsyncGenerator<Buffer, void, undefined> {
    let [known, begin] = [0, 0];
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES);
      await setImmediate();
      if (ended() > known) [known, begin] = [ended(), at];
      // The parser counts the characters of cells, of which delimiters have none.
      else if (rowCharacters > 0 && at - begin > rowCharacters) throw refused(tooLong);
    }
  }
  try {
    await pipeline(pieces(), parser);
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refused(
      error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH'
        ? 'has another number of cells than the header'
        : error.code === 'CSV_MAX_RECORD_SIZE'
          ? tooLong
          : 'is not valid CSV',
    );
  }
}

/** A piece of nothing but delimiters takes some ten milliseconds. */
const PIECE_BYTES = 16 * 1024;

/** Counts the lines of a file, from the end of one row to the beginning of the next. */
class Lines {
  #at = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private line: number,
  ) {}

  /** Returns the line of the next row, behind the line breaks before it. */
  next(): number {
    while (isBreak(this.bytes[this.#at])) this.goTo(this.#at + 1);
    return this.line;
  }

  goTo(end: number): void {
    for (; this.#at < end; this.#at++) {
      const byte = this.bytes[this.#at];
      // A CR LF is one break, and counted at its LF.
      if (byte === LF || (byte === CR && this.bytes[this.#at + 1] !== LF)) this.line += 1;
    }
  }
}

const [CR, LF] = [0x0d, 0x0a];

const isBreak = (byte: number | undefined): boolean => byte === CR || byte === LF;
