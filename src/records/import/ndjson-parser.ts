import { HeldBytes } from '../../domain/bytes/held-bytes.js';
import type { InputParser, InputRow, RowPlace } from './input-item.js';
import { type JsonRowOptions, parsedRow, RowScan, withoutBlanks } from './json-object.js';
import { MAX_EMPTY_LINES } from './input-limits.js';

/**
 * Parses NDJSON: one row per line. Blank lines are skipped, and so is the last line of an export, which states that the
 * export is complete. A line is held until it is complete, up to `maxRowBytes`.
 */
export class NdjsonParser implements InputParser {
  readonly #scan: RowScan;
  readonly #held = new HeldBytes();
  #row = 0;
  #line = 1;
  #emptyLines = 0;

  constructor(private readonly options: JsonRowOptions) {
    this.#scan = new RowScan(options.errors, options.areTyped);
  }

  *push(piece: Buffer): Generator<InputRow, void, undefined> {
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

  *end(): Generator<InputRow, void, undefined> {
    const item = this.#takeLine();
    if (item !== undefined) yield item;
  }

  #hold(piece: Buffer, start: number, end: number): void {
    if (this.#held.length + end - start > this.options.maxRowBytes)
      throw this.options.errors.tooLarge(this.#nextPlace);
    this.#held.add(piece.subarray(start, end));
  }

  #takeLine(): InputRow | undefined {
    const line = withoutBlanks(this.#held.take());
    if (line.length === 0) {
      if (++this.#emptyLines > MAX_EMPTY_LINES) throw this.options.errors.tooManyEmptyLines(this.#line);
      return undefined;
    }
    this.#emptyLines = 0;
    const place = this.#nextPlace;
    if (isTrailer(line, this.options.areTyped)) return undefined;
    this.#scan.check(line, place);
    this.#row++;
    return parsedRow(line, place, this.options.errors);
  }

  get #nextPlace(): RowPlace {
    return { row: this.#row + 1, line: this.#line };
  }
}

/**
 * Recognises `{"_complete":true,"records":N}`, with `misfits` in an export of typed values, without other properties.
 * With further properties it is a row.
 */
function isTrailer(line: Buffer, areTyped: boolean): boolean {
  const begins = BEGINS_TRAILER.test(line.toString('latin1', 0, LONGEST_BEGINNING));
  if (!begins) return false;
  const names = Object.keys(parsed(line));
  return names.length === 2 || (areTyped && names.length === 3 && names[2] === 'misfits');
}

/** @returns an empty object for text that is not JSON: parsing the row then reports it */
function parsed(line: Buffer): object {
  try {
    return JSON.parse(line.toString('utf8')) as object;
  } catch {
    return {};
  }
}

const BEGINS_TRAILER = /^\{\s*"_complete"\s*:\s*true\s*,\s*"records"\s*:\s*\d+\s*[,}]/;
const LONGEST_BEGINNING = 100;
const LINE_FEED = 0x0a;
