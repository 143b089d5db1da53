import { say } from '../../domain/errors/sentences.js';
import { isFieldName } from '../../domain/identifiers/names.js';
import { byteTable } from '../../domain/bytes/json-scan.js';
import { HeldBytes } from '../../domain/bytes/held-bytes.js';
import { LONGEST_DELIMITER_LINE, delimiterLine } from '../../domain/dictionary/with-delimiter.js';
import { CSV_DELIMITERS, delimiterByte, type CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';
import { CsvCells } from './csv-cells.js';
import { keptApart } from './header-labels.js';
import type { InputErrors } from './input-errors.js';
import { MAX_EMPTY_LINES } from './input-limits.js';
import {
  isForbiddenName,
  type InputItem,
  type InputParser,
  type RowPlace,
  type SentRow,
} from './input-item.js';

/**
 * Parses CSV according to RFC 4180: cells may be quoted, and lines end with LF, CR LF or CR. Empty lines are skipped,
 * and so are rows of empty cells, which Excel writes for rows that were once used. The first row, number 0, is the
 * header: it gives the cells of the others their names. Before it, a line such as `sep=;` may name the delimiter, as Excel reads it. Pieces may be cut anywhere.
 *
 * Memory: one row, at most `maxRowBytes`. Each byte is read once, and a row is refused at the first column over the
 * limit.
 *
 * @see docs/protocol/redcap.md 5.4 (client)
 */
export class CsvParser implements InputParser {
  readonly #cells = new CsvCells();
  #header: CsvHeader | undefined;
  /** Holds the bytes of the header until the delimiter is known. */
  #head: HeaderReader | undefined = new HeaderReader();
  #delimiter = 0;
  #plainStops = NO_STOPS;
  #state: State = CELL_START;
  #row = 0;
  #line = 1;
  #rowLine = 1;
  #emptyLines = 0;
  #isAfterReturn = false;
  #rowBytes = 0;

  /**
   * @param delimiter one ASCII character; when it is not given, it is read from a line `sep=` or from the header
   * @param hasLabels whether the header has labels, of which several may be the same
   */
  constructor(
    private readonly delimiter: string | undefined,
    private readonly maxRowBytes: number,
    private readonly errors: InputErrors,
    private readonly hasLabels = false,
  ) {}

  *push(piece: Buffer): Generator<InputItem, void, undefined> {
    if (this.#head === undefined) yield* this.#read(piece);
    else if (this.#head.push(piece)) yield* this.#readHead(this.#head);
  }

  *end(): Generator<InputItem, void, undefined> {
    if (this.#head !== undefined) yield* this.#readHead(this.#head);
    if (this.#state === QUOTED) throw this.#unreadable();
    if (this.#state === CELL_START && this.#cells.isEmpty) return;
    const item = this.#endRow();
    if (item !== undefined) yield item;
  }

  *#readHead(head: HeaderReader): Generator<InputItem, void, undefined> {
    this.#head = undefined;
    const detected = head.delimiter;
    const bytes = head.take();
    const hint = delimiterLine(bytes.toString('latin1', 0, LONGEST_DELIMITER_LINE));
    const named = DELIMITER_BYTES.find((byte) => byte === hint?.delimiter.charCodeAt(0));
    const delimiter = this.delimiter?.charCodeAt(0) ?? (hint === undefined ? detected : named);
    if (delimiter === undefined) throw this.errors.unknownDelimiter();
    this.#delimiter = delimiter;
    this.#plainStops = byteTable([this.#delimiter, LINE_FEED, RETURN, QUOTE]);
    // What is left of the line that names the delimiter is an empty line.
    yield* this.#read(bytes.subarray(hint?.end ?? 0));
  }

  *#read(piece: Buffer): Generator<InputItem, void, undefined> {
    let at = 0;
    if (this.#isAfterReturn && piece.length > 0) {
      this.#isAfterReturn = false;
      if (piece[0] === LINE_FEED) at = 1;
    }
    while (at < piece.length) {
      const from = at;
      if (this.#state === QUOTED) at = this.#takeQuoted(piece, at);
      else {
        at = this.#takePlain(piece, at);
        const byte = piece[at];
        if (at < piece.length && byte !== undefined) {
          at++;
          if (byte === this.#delimiter) this.#endCell();
          else if (byte === QUOTE) this.#takeQuote();
          else {
            // End of a line.
            if (byte === RETURN && at === piece.length) this.#isAfterReturn = true;
            else if (byte === RETURN && piece[at] === LINE_FEED) at++;
            const item = this.#endRow();
            if (item !== undefined) yield item;
            continue;
          }
        }
      }
      this.#rowBytes += at - from;
      if (this.#rowBytes > this.maxRowBytes) throw this.errors.tooLarge(this.#place);
    }
  }

  /** Takes the bytes up to a quote, a delimiter or the end of the line. */
  #takePlain(piece: Buffer, from: number): number {
    const at = this.#cells.appendUntil(piece, from, this.#plainStops);
    if (at > from) {
      // Only a delimiter or the end of the line may follow a closing quote.
      if (this.#state === QUOTE_ENDED) throw this.#unreadable();
      this.#state = PLAIN;
    }
    return at;
  }

  #takeQuote(): void {
    if (this.#state === PLAIN) throw this.#unreadable();
    // Two quotes inside a quoted cell stand for one.
    if (this.#state === QUOTE_ENDED) this.#cells.addByte(QUOTE);
    this.#state = QUOTED;
  }

  /** Takes the bytes up to the next quote, which ends the cell unless it is followed by another quote. */
  #takeQuoted(piece: Buffer, from: number): number {
    let at = this.#cells.appendUntil(piece, from, QUOTED_STOPS);
    while (piece[at] === LINE_FEED) {
      this.#line++;
      this.#cells.addByte(LINE_FEED);
      at = this.#cells.appendUntil(piece, at + 1, QUOTED_STOPS);
    }
    if (at === piece.length) return at;
    this.#state = QUOTE_ENDED;
    return at + 1;
  }

  #endCell(): void {
    if (!this.#cells.endCell()) throw this.errors.tooManyColumns(this.#place);
    this.#state = CELL_START;
  }

  #endRow(): InputItem | undefined {
    const line = this.#line++;
    if (this.#state !== CELL_START || !this.#cells.isEmpty) this.#endCell();
    const [place, size] = [this.#place, this.#rowBytes];
    this.#rowLine = this.#line;
    this.#rowBytes = 0;
    if (this.#cells.isBlank) {
      if (++this.#emptyLines > MAX_EMPTY_LINES) throw this.errors.tooManyEmptyLines(line);
      this.#cells.take();
      return undefined;
    }
    this.#emptyLines = 0;
    this.#row++;
    const cells = this.#cells.take();
    if (cells === undefined) throw this.errors.notUtf8(place);
    if (this.#header !== undefined) {
      const { columns } = this.#header;
      return { kind: 'row', place, columns, row: this.#header.rowOf(cells, place), size };
    }
    this.#header = new CsvHeader(cells, place, this.errors, this.hasLabels);
    return undefined;
  }

  get #place(): RowPlace {
    return { row: this.#row, line: this.#rowLine };
  }

  #unreadable(): Error {
    return this.errors.row(this.#place, say('unread_quotes'));
  }
}

/** The header of a CSV. */
class CsvHeader {
  /** The names of the columns, in order. */
  readonly columns: readonly string[];
  readonly #cellCount: number;
  /** Has the columns in order: a copy takes half the time of a row that gets them one by one. */
  readonly #blank: Readonly<Record<string, string>>;

  /**
   * Reads the header. Cells without a name after the last one with a name are no columns: Excel writes them for cells
   * that were once used.
   *
   * @param hasLabels whether names may occur twice, as labels do
   * @throws {MalformedRequestError} a name is reserved or occurs twice
   */
  constructor(
    cells: readonly string[],
    place: RowPlace,
    private readonly errors: InputErrors,
    hasLabels = false,
  ) {
    this.#cellCount = cells.length;
    const columns = cells.slice(0, cells.findLastIndex((name) => name !== '') + 1);
    this.columns = hasLabels ? keptApart(columns) : columns;
    // The first cell of REDCap's template with records in columns, whose other cells are often equal.
    if (/^variable *\/ *field name$/i.test(this.columns[0] ?? ''))
      throw errors.row(place, say('records_in_columns'));
    const seen = new Map<string, number>();
    for (const [index, name] of this.columns.entries()) {
      const first = seen.get(name);
      const shown = isFieldName(name) ? name : `column ${index + 1}`;
      if (isForbiddenName(name)) throw errors.row(place, say('reserved_name', { column: shown }));
      if (first !== undefined) {
        // An export with labelled headers has the same label for the status of every form.
        const code = name === '' ? 'nameless_columns' : isFieldName(name) ? 'name_twice' : 'label_twice';
        throw errors.row(place, say(code, { first: first + 1, second: index + 1 }));
      }
      seen.set(name, index);
    }
    this.#blank = Object.fromEntries(this.columns.map((name) => [name, '']));
  }

  /** Returns a row by its columns. @throws {MalformedRequestError} it has other cells than the header */
  rowOf(cells: readonly string[], place: RowPlace): SentRow {
    const { columns } = this;
    if (cells.length < columns.length || cells.length > this.#cellCount)
      throw this.errors.row(place, say('other_cell_count', { cells: cells.length, header: this.#cellCount }));
    const row = { ...this.#blank };
    for (const [index, text] of cells.entries()) {
      const name = columns[index];
      if (name !== undefined) row[name] = text;
      else if (text !== '') throw this.errors.row(place, say('value_without_name', { column: index + 1 }));
    }
    return row;
  }
}

type State = typeof CELL_START | typeof PLAIN | typeof QUOTED | typeof QUOTE_ENDED;

const [CELL_START, PLAIN, QUOTED, QUOTE_ENDED] = [0, 1, 2, 3] as const;
const [LINE_FEED, RETURN, QUOTE, COMMA] = [0x0a, 0x0d, 0x22, 0x2c];
/** The bytes that have a meaning inside quotes. */
const QUOTED_STOPS = byteTable([QUOTE, LINE_FEED]);
/** Until the delimiter is known. */
const NO_STOPS = byteTable([]);

/**
 * Holds the first line of a CSV until its delimiter is known. Field names contain none of the possible delimiters, so
 * the one that occurs is the delimiter. If several occur, the most frequent is chosen; if none, the comma.
 */
export class HeaderReader {
  readonly #held = new HeldBytes();
  readonly #counts = new Uint32Array(0x100);
  #isQuoted = false;
  #hasName = false;

  /** @returns the bytes held */
  take(): Buffer {
    return this.#held.take();
  }

  /** The delimiter, according to the bytes read so far. */
  get delimiter(): number {
    let found = COMMA;
    for (const byte of DELIMITER_BYTES)
      if ((this.#counts[byte] ?? 0) > (this.#counts[found] ?? 0)) found = byte;
    return found;
  }

  /** @returns whether the header is complete with these bytes, or exceeds the maximum length */
  push(piece: Buffer): boolean {
    this.#held.add(piece);
    return this.#hasEnd(piece) || this.#held.length > LONGEST_HEADER;
  }

  #hasEnd(piece: Buffer): boolean {
    for (const byte of piece) {
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
      if (this.#isQuoted) continue;
      if (byte !== LINE_FEED && byte !== RETURN) {
        this.#hasName = true;
        this.#counts[byte] = (this.#counts[byte] ?? 0) + 1;
      } else if (this.#hasName) return true; // empty lines before the header do not count
    }
    return false;
  }
}

export const DELIMITER_BYTES = (Object.keys(CSV_DELIMITERS) as CsvDelimiter[]).map(delimiterByte);
/** Enough for the longest names in as many columns as are accepted. */
const LONGEST_HEADER = 1024 * 1024;
