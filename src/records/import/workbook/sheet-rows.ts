import { say } from '../../../domain/errors/sentences.js';
import { keptApart } from '../header-labels.js';
import { MAX_COLUMNS, MAX_ROW_BYTES } from '../input-limits.js';
import type { RowPlace } from '../input-item.js';
import type { CellFormats } from './cell-formats.js';
import type { Attributes, XmlListener } from './read-xml.js';
import { plainText, RichText } from './texts.js';
import {
  BOUNDS,
  MAX_ROWS,
  MIB,
  refuseBeyond,
  WorkbookRefusal,
  type WorkbookLimits,
} from './workbook-limits.js';

/** What the cells of a sheet refer to, and how its numbers are written. */
export interface SheetContext {
  readonly texts: readonly string[];
  readonly formats: CellFormats;
  readonly is1904: boolean;
  readonly decimal: '.' | ',';
  /** Whether names are labels, of which several may be the same. */
  readonly headerLabels: boolean;
}

/** A sheet: the names of its columns, and a line for each row after the first. */
export interface SheetLines {
  readonly names: readonly string[];
  /** A JSON list of the cells of a row in each line, texts or numbers; a row without values is an empty line. */
  readonly lines: readonly Uint8Array<ArrayBuffer>[];
  readonly bytes: number;
}

/**
 * The value of a cell. A number stays one only if it has more digits than are exact, so that an import refuses it; TRUE
 * and FALSE are codes, also where texts are labels.
 */
type CellValue = string | number | boolean;

/** The rows of a sheet, of which the first one has the names of the columns. */
export class SheetRows implements XmlListener {
  #isSheet = false;
  #row = 0;
  #cells: CellValue[] = [];
  #characters = 0;
  #cell: Cell | undefined;
  #names: readonly string[] | undefined;
  #lastColumn = 0;
  /** The rows that have been told: all up to the last one with a value. */
  #told = 1;
  readonly #lines = new Lines();

  constructor(
    private readonly context: SheetContext,
    private readonly limits: WorkbookLimits,
  ) {}

  open(name: string, attributes: Attributes): void {
    if (name === 'sheetData') this.#isSheet = true;
    else if (!this.#isSheet) return;
    else if (name === 'row') this.#moveTo(attributes['r'] ?? String(this.#row + 1));
    else if (name === 'c') this.#openCell(attributes);
    else this.#cell?.open(name);
  }

  text(piece: string): void {
    this.#cell?.text(piece);
  }

  close(name: string): void {
    if (name === 'sheetData') this.#isSheet = false;
    if (name !== 'c') this.#cell?.close(name);
    else if (this.#cell !== undefined) {
      this.#add(this.#cell.column, this.#valueOf(this.#cell));
      this.#cell = undefined;
    }
  }

  /** Returns the rows, when the sheet has been read. */
  end(): SheetLines {
    this.#endRow();
    const { chunks, bytes } = this.#lines.end();
    return { names: this.#names ?? [], lines: chunks, bytes };
  }

  /** Begins a row. A row stands below the one before. */
  #moveTo(place: string): void {
    const row = /^\d{1,7}$/.test(place) ? Number(place) : NaN;
    if (!(row <= MAX_ROWS)) throw new WorkbookRefusal(OUTSIDE);
    if (row <= this.#row) throw new Error('A row is not below the one before.');
    this.#endRow();
    this.#row = row;
  }

  #openCell(attributes: Attributes): void {
    const place = attributes['r'];
    // A cell without a place is the one after the cell before.
    let column = this.#cells.length + 1;
    if (place !== undefined) {
      const [, letters, row = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(place) ?? [];
      if (letters === undefined) throw new WorkbookRefusal(OUTSIDE);
      if (Number(row) !== this.#row) this.#moveTo(row);
      column = [...letters].reduce((number, letter) => 26 * number + letter.charCodeAt(0) - 64, 0);
    }
    this.#cell = new Cell(column, attributes['t'] ?? 'n', attributes['s']);
  }

  #valueOf(cell: Cell): CellValue {
    try {
      return cell.value(this.context);
    } catch (error) {
      if (error instanceof WorkbookRefusal) throw error;
      throw new WorkbookRefusal(say('cell_unread', { column: cell.column }), this.#place());
    }
  }

  #add(column: number, value: CellValue): void {
    if (value === '') return;
    this.#lastColumn = Math.max(this.#lastColumn, column);
    if (column > MAX_COLUMNS) throw new WorkbookRefusal(OUTSIDE);
    if (this.#row * this.#lastColumn > this.limits.cells)
      throw new WorkbookRefusal(say('cells_apart', { cells: this.limits.cells }));
    // Cells may share one text, so that a row is larger than the whole workbook: before it is put together.
    this.#characters += String(value).length;
    if (this.#characters > MAX_ROW_BYTES) throw new WorkbookRefusal(say('too_large'), this.#place());
    while (this.#cells.length < column) this.#cells.push('');
    this.#cells[column - 1] = value;
  }

  #endRow(): void {
    const cells = this.#cells;
    this.#cells = [];
    this.#characters = 0;
    if (this.#row <= 1) {
      if (this.#row === 1)
        this.#names = this.context.headerLabels ? keptApart(cells.map(String)) : namesOf(cells);
      return;
    }
    if (cells.length === 0) return;
    const names = this.#names ?? [];
    const nameless = cells.findIndex((value, at) => value !== '' && (names[at] ?? '') === '');
    if (nameless >= 0)
      throw new WorkbookRefusal(say('value_without_name', { column: nameless + 1 }), this.#place());
    const line = JSON.stringify(cells);
    if (line.length > MAX_ROW_BYTES) throw new WorkbookRefusal(say('too_large'), this.#place());
    this.#lines.add('\n'.repeat(this.#row - 1 - this.#told) + line + '\n');
    this.#told = this.#row;
    const { unpackedBytes } = this.limits;
    if (this.#lines.bytes > unpackedBytes)
      throw new WorkbookRefusal(say('workbook_unpacked', { megabytes: unpackedBytes / MIB }));
  }

  /** Where the row is that is being read; undefined for the header, which is of the whole sheet. */
  #place(): RowPlace | undefined {
    return this.#row <= 1 ? undefined : { row: this.#row - 1, line: this.#row };
  }
}

const OUTSIDE = say('cells_outside', { rows: MAX_ROWS, columns: MAX_COLUMNS });

/** @throws {WorkbookRefusal} two columns have one name */
function namesOf(cells: readonly CellValue[]): readonly string[] {
  const places = new Map<string, number>();
  return cells.map((cell, at) => {
    const name = String(cell);
    const first = places.get(name);
    if (name !== '' && first !== undefined)
      throw new WorkbookRefusal(say('sheet_name_twice', { first: first + 1, second: at + 1 }));
    places.set(name, at);
    return name;
  });
}

/** A cell that is being read: `<c r="B2" s="1" t="s"><f>…</f><v>3</v></c>`, or a text of its own in `<is>`. */
class Cell extends RichText {
  #value = '';
  #isValue = false;

  constructor(
    readonly column: number,
    private readonly type: string,
    private readonly style: string | undefined,
  ) {
    super();
  }

  override open(name: string): void {
    if (name === 'v') this.#isValue = true;
    else super.open(name);
  }

  override text(piece: string): void {
    if (!this.#isValue) {
      super.text(piece);
      return;
    }
    this.#value += piece;
    refuseBeyond('text_characters', this.#value.length, BOUNDS.text_characters);
  }

  override close(name: string): void {
    if (name === 'v') this.#isValue = false;
    else super.close(name);
  }

  /** @throws {Error} it is not what its type says */
  value({ texts, formats, is1904, decimal }: SheetContext): CellValue {
    if (this.type === 'inlineStr') return this.take();
    const value = this.#value;
    if (value.trim() === '') return this.type === 'str' ? value : '';
    switch (this.type) {
      case 'str':
      case 'e':
        return plainText(value);
      case 's':
        return existing(texts[Number(value)]);
      case 'b':
        return existing(/^[01]$/.exec(value)?.[0]) === '1';
      case 'd':
        return dateOf(
          new Date(/T.*(?:Z|[+-][\d:]+)$/.test(value) || !value.includes('T') ? value : `${value}Z`),
        );
      case 'n':
        return formats.isDate(this.style) && isMoment(finite(value), is1904)
          ? dayOf(finite(value), is1904)
          : numberOf(finite(value), decimal);
      default:
        throw new Error('A cell has no known type.');
    }
  }
}

function existing<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('A cell refers to nothing.');
  return value;
}

function finite(text: string): number {
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Error('A cell is no number.');
  return number;
}

/** Writes a number with the fifteen digits that a spreadsheet shows; one whose digits are lost stays a number. */
function numberOf(number: number, decimal: string): CellValue {
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return number;
  return String(Number(number.toPrecision(15))).replace('.', decimal);
}

const DAY = 86_400_000;
const SECOND = 1000;
/** The days from the one that a spreadsheet counts from, 30 December 1899 or 1 January 1904, to 1970. */
const DAYS_TO_1970 = 25_569;
const DAYS_TO_1904 = 1462;

/** The first day on whose number all spreadsheets agree, 1 March 1900, and the one after the last, in the year 9999. */
const FIRST_DAY = 61;
const END_OF_DAYS = 2_958_466;

/**
 * Whether a number of days is a time, a date, or both. Others, such as the duration 25:30, stay numbers, which fields of
 * dates and times refuse.
 */
function isMoment(days: number, is1904: boolean): boolean {
  if (days < 1) return days >= 0;
  return days >= (is1904 ? 1 : FIRST_DAY) && days + (is1904 ? DAYS_TO_1904 : 0) < END_OF_DAYS;
}

/** Returns the date, the time, or both that a number of days is. */
function dayOf(days: number, is1904: boolean): string {
  const from = is1904 && days >= 1 ? DAYS_TO_1904 : 0;
  return dateOf(new Date((days + from - DAYS_TO_1970) * DAY));
}

/** A time without a day is a moment of the first one, before 1900. */
const FIRST_YEAR = 1900;

function dateOf(date: Date): string {
  const [day = '', time = ''] = new Date(Math.round(date.getTime() / SECOND) * SECOND)
    .toISOString()
    .split('T');
  const clock = time.slice(6, 8) === '00' ? time.slice(0, 5) : time.slice(0, 8);
  if (date.getUTCFullYear() < FIRST_YEAR) return clock;
  return clock === '00:00' ? day : `${day} ${clock}`;
}

/** Lines in pieces that another thread can be given without a copy. */
class Lines {
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #pending: string[] = [];
  #pendingLength = 0;
  #bytes = 0;

  /** The bytes of all lines, apart from the last ones. */
  get bytes(): number {
    return this.#bytes;
  }

  add(line: string): void {
    this.#pending.push(line);
    this.#pendingLength += line.length;
    if (this.#pendingLength >= CHUNK_LENGTH) this.#flush();
  }

  end(): { readonly chunks: readonly Uint8Array<ArrayBuffer>[]; readonly bytes: number } {
    this.#flush();
    return { chunks: this.#chunks, bytes: this.#bytes };
  }

  #flush(): void {
    if (this.#pendingLength === 0) return;
    const chunk = new TextEncoder().encode(this.#pending.join(''));
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    this.#pending = [];
    this.#pendingLength = 0;
  }
}

const CHUNK_LENGTH = 64 * 1024;
