import { csvCell } from '../../domain/bytes/csv-text.js';
import { Transform, type TransformCallback } from 'node:stream';
import { byteTable } from '../../domain/bytes/json-scan.js';
import { heard } from '../../domain/bytes/heard.js';
import type { RecordSelection } from '../../gateways/redcap/crf-client.js';
import { delimiterByte } from '../../gateways/redcap/csv-delimiter.js';
import { BytePacker } from './byte-packer.js';

/**
 * Makes a CSV safe to open in a spreadsheet. A cell gets a leading apostrophe, which marks it as text, if it begins
 * with `=`, `+`, `-`, `@`, a tab, a carriage return or NUL and is not a plain number of at most 64 characters. All
 * other bytes pass unchanged. Chunks may be cut anywhere.
 *
 * Memory: the chunk, and 64 bytes of the cell at its end.
 */
export class CsvFormulaGuard extends Transform {
  readonly #delimiter: number;
  readonly #packer = new BytePacker((chunk) => this.push(chunk));
  #place: Place = 'at a cell';
  #isFirst = true;
  /** The beginning of a cell that cannot be judged without further bytes. */
  #held: Buffer = NOTHING;

  constructor(csvDelimiter?: RecordSelection['csvDelimiter']) {
    super({ readableHighWaterMark: HIGH_WATER_BYTES, writableHighWaterMark: HIGH_WATER_BYTES });
    heard(this);
    this.#delimiter = delimiterByte(csvDelimiter);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#pass(this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]), false);
    callback();
  }

  override _flush(callback: TransformCallback): void {
    this.#pass(this.#held, true);
    callback();
  }

  #pass(bytes: Buffer, isLast: boolean): void {
    let at = 0;
    let written = 0;
    while (at < bytes.length) {
      if (this.#place !== 'at a cell') {
        at = this.#endOfPart(bytes, at);
        continue;
      }
      const cell = this.#look(bytes, at, isLast);
      if (cell === undefined) break;
      if (cell.isRisky) {
        this.#packer.add(bytes, written, cell.start);
        this.#packer.addByte(APOSTROPHE);
        written = cell.start;
      }
      this.#isFirst = false;
      this.#place = cell.isQuoted ? 'in quotes' : 'in a cell';
      at = cell.start;
    }
    this.#held = bytes.subarray(at);
    this.#packer.add(bytes, written, at);
    this.#packer.flush();
  }

  /** Examines the beginning of a cell. Returns undefined if more bytes are needed. */
  #look(bytes: Buffer, from: number, isLast: boolean): Cell | undefined {
    let start = from;
    if (this.#isFirst && bytes[from] === BYTE_ORDER_MARK[0]) {
      if (bytes.length - from < BYTE_ORDER_MARK.length && !isLast) return undefined;
      if (bytes.subarray(from, from + BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
        start += BYTE_ORDER_MARK.length;
    }
    const isQuoted = bytes[start] === QUOTE;
    if (isQuoted) start++;
    if (start === bytes.length) return isLast ? { start, isQuoted, isRisky: false } : undefined;

    const first = bytes[start] ?? 0;
    if (RISKY[first] !== 1 || (!isQuoted && first === this.#delimiter))
      return { start, isQuoted, isRisky: false };
    if (first === RETURN && !isQuoted) {
      if (start + 1 === bytes.length && !isLast) return undefined;
      return { start, isQuoted, isRisky: bytes[start + 1] !== LINE_FEED };
    }
    if (first !== PLUS && first !== MINUS) return { start, isQuoted, isRisky: true };

    const end = this.#endOfNumber(bytes, start, isQuoted);
    // A quote closes the cell only if it is not followed by another quote.
    const needed = isQuoted ? end + 1 : end;
    if (end - start <= MAX_NUMBER_BYTES && needed >= bytes.length && !isLast) return undefined;
    const isNumber =
      end - start <= MAX_NUMBER_BYTES &&
      NUMBER.test(bytes.toString('latin1', start, end)) &&
      !(isQuoted && bytes[end + 1] === QUOTE);
    return { start, isQuoted, isRisky: !isNumber };
  }

  /** Returns the end of the cell that begins here, or the position at which it is too long for a number. */
  #endOfNumber(bytes: Buffer, start: number, isQuoted: boolean): number {
    const most = Math.min(bytes.length, start + MAX_NUMBER_BYTES + 1);
    for (let at = start; at < most; at++) {
      const byte = bytes[at];
      if (isQuoted ? byte === QUOTE : this.#endsCell(byte)) return at;
    }
    return most;
  }

  /** Skips the rest of a cell, or the part of it that the chunk contains. */
  #endOfPart(bytes: Buffer, from: number): number {
    let at = from;
    if (this.#place === 'behind a quote') {
      // A second quote belongs to the cell. Any other byte is after the cell.
      this.#place = bytes[at] === QUOTE ? 'in quotes' : 'in a cell';
      if (this.#place === 'in quotes') at++;
    }
    if (this.#place === 'in quotes') {
      const quote = bytes.indexOf(QUOTE, at);
      if (quote === -1) return bytes.length;
      this.#place = 'behind a quote';
      return quote + 1;
    }
    while (at < bytes.length && !this.#endsCell(bytes[at])) at++;
    if (at === bytes.length) return at;
    this.#place = 'at a cell';
    return at + 1;
  }

  /** Whether an unquoted cell ends here. Spreadsheets also take a carriage return alone for the end of a line. */
  #endsCell(byte: number | undefined): boolean {
    return byte === this.#delimiter || byte === LINE_FEED || byte === RETURN;
  }
}

type Place = 'at a cell' | 'in a cell' | 'in quotes' | 'behind a quote';

interface Cell {
  /** Offset of its text. */
  readonly start: number;
  readonly isQuoted: boolean;
  readonly isRisky: boolean;
}

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const PLUS = 0x2b;
const MINUS = 0x2d;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const NOTHING = Buffer.alloc(0);

/** The first bytes that make spreadsheets interpret a cell as more than text. */
const RISKY = byteTable(Buffer.from('=+-@\t\r\0'));

/** A number as it may appear in a cell, with a decimal point or comma and an optional exponent. */
const NUMBER = /^[+-](\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i;
const MAX_NUMBER_BYTES = 64;
const HIGH_WATER_BYTES = 128 * 1024;

/**
 * Returns a text as a cell of a CSV that people open in a spreadsheet. One that the spreadsheet would read as a formula
 * gets a leading apostrophe. `CsvFormulaGuard` does the same with the bytes of an export.
 */
export function spreadsheetCell(text: string): string {
  const isRisky = /^[=+\-@\t\r\0]/.test(text) && !(text.length <= MAX_NUMBER_BYTES && NUMBER.test(text));
  const safe = isRisky ? `'${text}` : text;
  return csvCell(safe);
}
