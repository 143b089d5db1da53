import { isUtf8 } from 'node:buffer';
import { say } from '../../domain/errors/sentences.js';
import type { InputErrors } from './input-errors.js';
import { MAX_COLUMNS, MAX_TYPED_DEPTH, MAX_TYPED_PROPERTIES } from './input-limits.js';
import { isForbiddenName, type InputRow, type RowPlace, type SentRow } from './input-item.js';
import { IS_BLANK, ObjectScan, OPEN_BRACE, type ObjectFault } from '../../domain/bytes/json-scan.js';

/**
 * Finds the end of rows, and refuses those that are too deep or have too many properties at the first one too many: nesting
 * of any depth is harmless, and a million properties are never created (IN-03). Other errors are found by the parser.
 */
export class RowScan {
  readonly #scan: ObjectScan;

  /** @param mayNest whether values may be lists and objects */
  constructor(
    private readonly errors: InputErrors,
    private readonly mayNest: boolean,
  ) {
    this.#scan = new ObjectScan(
      mayNest
        ? { maxDepth: MAX_TYPED_DEPTH, maxProperties: MAX_TYPED_PROPERTIES }
        : { maxDepth: 1, maxProperties: MAX_COLUMNS },
    );
  }

  /** Starts a new row: the next byte is its opening brace. */
  begin(): void {
    this.#scan.begin();
  }

  /**
   * @returns the position after the closing brace of the row; -1 if it is not in these bytes
   * @throws {MalformedRequestError} it is nested deeper than a row may be, or has more properties
   */
  find(piece: Buffer, from: number, place: RowPlace): number {
    return this.#scan.find(piece, from, (fault) => this.#refusal(fault, place));
  }

  /**
   * Refuses anything but one JSON object within the limits.
   *
   * @param bytes without leading and trailing whitespace
   */
  check(bytes: Buffer, place: RowPlace): void {
    if (bytes[0] !== OPEN_BRACE) throw this.errors.row(place, say('not_object'));
    this.begin();
    if (this.find(bytes, 0, place) !== bytes.length) throw this.errors.row(place, say('not_json'));
  }

  #refusal(fault: ObjectFault, place: RowPlace): Error {
    if (fault === 'bracket') return this.errors.row(place, say('not_json'));
    if (fault === 'depth')
      return this.mayNest ? this.errors.row(place, say('too_deep')) : this.errors.notFlat(place);
    return this.mayNest ? this.errors.tooLarge(place) : this.errors.tooManyColumns(place);
  }
}

/**
 * Parses one row whose depth and number of properties are known to be limited, by a `RowScan`.
 *
 * @throws {MalformedRequestError} it is not UTF-8 or JSON, or has a forbidden name (IN-04) or too many columns
 */
export function parsedRow(bytes: Buffer, place: RowPlace, errors: InputErrors): InputRow {
  if (!isUtf8(bytes)) throw errors.notUtf8(place);
  let row: SentRow;
  try {
    // It is known to begin with a brace.
    row = JSON.parse(bytes.toString('utf8')) as SentRow;
  } catch {
    // The parser's message is dropped because it quotes the text.
    throw errors.row(place, say('not_json'));
  }
  const columns = Object.keys(row);
  if (columns.some(isForbiddenName)) throw errors.row(place, say('reserved_property'));
  if (columns.length > MAX_COLUMNS) throw errors.tooManyColumns(place);
  return { place, columns, row };
}

/** Returns the bytes without leading and trailing JSON whitespace. */
export function withoutBlanks(bytes: Buffer): Buffer {
  let [start, end] = [0, bytes.length];
  while (start < end && IS_BLANK[bytes[start] ?? 0] === 1) start++;
  while (end > start && IS_BLANK[bytes[end - 1] ?? 0] === 1) end--;
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}

/** Options of the parsers of JSON rows. */
export interface JsonRowOptions {
  readonly maxRowBytes: number;
  readonly errors: InputErrors;
  /** Whether values may be lists and objects, as in typed rows. */
  readonly areTyped: boolean;
}
