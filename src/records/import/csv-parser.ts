import { splitCsvRow } from '../../domain/bytes/csv-text.js';
import { isUtf8 } from 'node:buffer';
import { say } from '../../domain/errors/sentences.js';
import { isFieldName } from '../../domain/identifiers/names.js';
import { byteTable } from '../../domain/bytes/json-scan.js';
import { HeldBytes } from '../../domain/bytes/held-bytes.js';
import { delimiterLine } from '../../domain/dictionary/with-delimiter.js';
import { CSV_DELIMITERS } from '../../gateways/redcap/csv-delimiter.js';
import { keptApart } from './header-labels.js';
import type { InputErrors } from './input-errors.js';
import { MAX_COLUMNS, MAX_EMPTY_LINES } from './input-limits.js';
import {
  isForbiddenName,
  type InputParser,
  type InputRow,
  type RowPlace,
  type SentRow,
} from './input-item.js';

/**
 * Parses CSV according to RFC 4180: cells may be quoted, and lines end with LF, CR LF or CR. Empty lines are skipped,
 * and so are rows of empty cells, which Excel writes for rows that were once used. The first row, number 0, is the
 * header: it gives the cells of the others their names. Before it, a line such as `sep=;` may name the delimiter, as
 * Excel reads it. Pieces may be cut anywhere.
 *
 * Memory: one row, at most `maxRowBytes`. Bytes are only searched for the ends of rows, each of which then becomes text.
 *
 * @see docs/protocol/redcap.md 5.4 (client)
 */
export class CsvParser implements InputParser {
  readonly #held = new HeldBytes();
  #header: CsvHeader | undefined;
  #delimiter: string | undefined;
  #isQuoted = false;
  /** The last byte of the piece before. */
  #lastByte = LINE_FEED;
  #row = 0;
  #line = 1;
  /** The line on which the row begins. */
  #rowLine = 1;
  #emptyLines = 0;

  /**
   * @param stated one ASCII character; when it is not given, it is read from a line `sep=` or from the header
   * @param hasLabels whether the header has labels, of which several may be the same
   */
  constructor(
    private readonly stated: string | undefined,
    private readonly maxRowBytes: number,
    private readonly errors: InputErrors,
    private readonly hasLabels = false,
  ) {}

  *push(piece: Buffer): Generator<InputRow, void, undefined> {
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (IS_SPECIAL[byte] === 0) continue;
      const before = at === 0 ? this.#lastByte : piece[at - 1];
      if (byte === QUOTE) this.#takeQuote(before);
      else if (this.#isQuoted) this.#line += byte === LINE_FEED ? 1 : 0;
      else {
        // The second byte of CR LF ends no row.
        const item =
          byte === LINE_FEED && before === RETURN ? undefined : this.#endRow(piece.subarray(start, at));
        start = at + 1;
        if (item !== undefined) yield item;
      }
    }
    this.#hold(piece.subarray(start));
    this.#lastByte = piece.at(-1) ?? this.#lastByte;
  }

  *end(): Generator<InputRow, void, undefined> {
    if (this.#isQuoted) throw this.#unreadable();
    const item = this.#held.length === 0 ? undefined : this.#endRow(NOTHING);
    if (item !== undefined) yield item;
  }

  #hold(bytes: Buffer): void {
    this.#held.add(bytes);
    if (this.#held.length > this.maxRowBytes) throw this.errors.tooLarge(this.#place);
  }

  /** A quote opens a cell, or another part of one after `""`; anywhere else the rest of the file would be its cell. */
  #takeQuote(before: number | undefined): void {
    this.#isQuoted = !this.#isQuoted;
    const mayOpen =
      !this.#isQuoted ||
      MAY_OPEN.has(before) ||
      this.#delimiter === undefined ||
      this.#delimiter.charCodeAt(0) === before;
    if (!mayOpen) throw this.#unreadable();
  }

  /** @returns the row that ends with these bytes; undefined for the header and what is none */
  #endRow(bytes: Buffer): InputRow | undefined {
    this.#hold(bytes);
    const whole = this.#held.take();
    const place = this.#place;
    this.#rowLine = ++this.#line;
    if (!isUtf8(whole)) throw this.errors.notUtf8(place);
    const text = whole.toString('utf8');
    if (this.#delimiter === undefined && text !== '' && this.#findDelimiter(text, place)) return undefined;
    const cells = splitCsvRow(text, this.#delimiter ?? '', MAX_COLUMNS + 1);
    if (cells === undefined) throw this.errors.row(place, say('unread_quotes'));
    if (cells.length > MAX_COLUMNS) throw this.errors.tooManyColumns(place);
    if (cells.every((cell) => cell === '')) {
      if (++this.#emptyLines > MAX_EMPTY_LINES) throw this.errors.tooManyEmptyLines(place.line);
      return undefined;
    }
    this.#emptyLines = 0;
    this.#row++;
    if (this.#header !== undefined) {
      const { columns } = this.#header;
      return { place, columns, row: this.#header.rowOf(cells, place) };
    }
    this.#header = new CsvHeader(cells, place, this.errors, this.hasLabels);
    return undefined;
  }

  /** Finds the delimiter by the first line that is not empty. @returns whether the line only names it */
  #findDelimiter(text: string, { line }: RowPlace): boolean {
    const hint = line === 1 ? delimiterLine(text) : undefined;
    const named = hint && DELIMITERS.find((delimiter) => delimiter === hint.delimiter);
    this.#delimiter = this.stated ?? (hint === undefined ? likeliestDelimiter(text) : named);
    if (this.#delimiter === undefined) throw this.errors.whole(say('unknown_delimiter'));
    return hint !== undefined;
  }

  get #place(): RowPlace {
    return { row: this.#row, line: this.#rowLine };
  }

  #unreadable(): Error {
    return this.errors.row(this.#place, say('unread_quotes'));
  }
}

/**
 * Field names contain none of the possible delimiters, so the one that occurs in the header is the delimiter. If several
 * occur, the most frequent is chosen; if none, the comma.
 */
function likeliestDelimiter(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

const DELIMITERS: readonly string[] = Object.values(CSV_DELIMITERS);
const [LINE_FEED, RETURN, QUOTE] = [0x0a, 0x0d, 0x22];
const IS_SPECIAL = byteTable([LINE_FEED, RETURN, QUOTE]);
/** What a quote that opens may stand behind, besides the delimiter. */
const MAY_OPEN: ReadonlySet<number | undefined> = new Set([LINE_FEED, RETURN, QUOTE]);
const NOTHING = Buffer.alloc(0);

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
