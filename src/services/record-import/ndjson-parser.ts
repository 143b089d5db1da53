import { isUtf8 } from 'node:buffer';
import { HeldBytes } from '../../buffers/held-bytes.js';
import type { InputErrors } from './input-errors.js';
import type { InputItem, InputParser, RowPlace, RowReader } from './input-item.js';
import { MAX_EMPTY_LINES } from './input-limits.js';
import { checkFlatObject, withoutBlanks } from './flat-object.js';

/**
 * Parses NDJSON: one row per line. Blank lines are skipped, and so is the last line of an export, which states that the
 * export is complete. A line is held until it is complete, up to `maxRowBytes`.
 */
export class NdjsonParser implements InputParser {
  readonly #maxRowBytes: number;
  readonly #errors: InputErrors;
  readonly #reader: RowReader;
  readonly #held = new HeldBytes();
  #row = 0;
  #line = 1;
  #emptyLines = 0;

  constructor(maxRowBytes: number, errors: InputErrors, reader: RowReader) {
    this.#maxRowBytes = maxRowBytes;
    this.#errors = errors;
    this.#reader = reader;
  }

  *push(piece: Buffer): Generator<InputItem, void, undefined> {
    for (let start = 0; start < piece.length;) {
      const at = piece.indexOf(LINE_FEED, start);
      const end = at === -1 ? piece.length : at;
      this.#hold(piece, start, end);
      if (at === -1) return;
      start = end + 1;
      const item = this.#takeLine();
      this.#line++;
      if (item !== undefined) yield item;
    }
  }

  *end(): Generator<InputItem, void, undefined> {
    const item = this.#takeLine();
    if (item !== undefined) yield item;
  }

  #hold(piece: Buffer, start: number, end: number): void {
    if (this.#held.length + end - start > this.#maxRowBytes) throw this.#errors.tooLarge(this.#nextPlace);
    this.#held.add(piece.subarray(start, end));
  }

  #takeLine(): InputItem | undefined {
    const line = withoutBlanks(this.#held.take());
    if (line.length === 0) {
      if (++this.#emptyLines > MAX_EMPTY_LINES) throw this.#errors.tooManyEmptyLines(this.#line);
      return undefined;
    }
    this.#emptyLines = 0;
    const place = this.#nextPlace;
    if (!isUtf8(line)) throw this.#errors.notUtf8(place);
    if (isTrailer(line)) return undefined;
    const isRead = this.#reader(line, 0) === line.length;
    if (!isRead) checkFlatObject(line, place, this.#errors);
    this.#row++;
    return { kind: 'object', place, bytes: line, isRead };
  }

  get #nextPlace(): RowPlace {
    return { row: this.#row + 1, line: this.#line };
  }
}

/** Recognises `{"_complete":true,"records":N}` without other properties. With further properties it is a row. */
function isTrailer(line: Buffer): boolean {
  return line.length < LONGEST_TRAILER && TRAILER.test(line.toString('latin1'));
}

const TRAILER = /^\{\s*"_complete"\s*:\s*true\s*,\s*"records"\s*:\s*\d+\s*\}$/;
const LONGEST_TRAILER = 100;
const LINE_FEED = 0x0a;
