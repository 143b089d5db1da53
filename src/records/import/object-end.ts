import { byteTable } from '../../buffers/byte-table.js';
import type { InputErrors } from './input-errors.js';
import type { RowPlace } from './input-item.js';
import { MAX_COLUMNS, MAX_TYPED_DEPTH, MAX_TYPED_PROPERTIES } from './input-limits.js';

/**
 * Finds the brace that closes an object, in pieces that may be cut anywhere, with lookup tables and without parsing.
 * Deeper nesting or more properties than a row may have are refused as soon as they are read, so neither costs anything
 * (IN-03). Other errors are found by the parser.
 */
export class ObjectEnd {
  readonly #errors: InputErrors;
  readonly #maxDepth: number;
  readonly #maxProperties: number;
  #depth = 0;
  #properties = 0;
  #isInString = false;
  #isEscaped = false;

  /** @param mayNest whether values may be lists and objects */
  constructor(errors: InputErrors, mayNest: boolean) {
    this.#errors = errors;
    this.#maxDepth = mayNest ? MAX_TYPED_DEPTH : 1;
    this.#maxProperties = mayNest ? MAX_TYPED_PROPERTIES : MAX_COLUMNS;
  }

  /** Starts a new object: the next byte is its opening brace. */
  begin(): void {
    this.#depth = 0;
    this.#properties = 0;
    this.#isInString = false;
    this.#isEscaped = false;
  }

  /**
   * @returns the position after the closing brace of the object; -1 if it is not in these bytes
   * @throws {MalformedRequestError} it is nested deeper than a row may be, or has more properties
   */
  find(piece: Buffer, from: number, place: RowPlace): number {
    const { length } = piece;
    let at = from;
    let isInString = this.#isInString;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at++;
    }
    while (at < length) {
      if (isInString) {
        while (at < length && IN_STRING[piece[at] ?? 0] === 0) at++;
        if (at >= length) break;
        if (piece[at++] === QUOTE) isInString = false;
        else if (at++ === length) this.#isEscaped = true;
        continue;
      }
      while (at < length && OUTSIDE[piece[at] ?? 0] === 0) at++;
      if (at >= length) break;
      const byte = piece[at++];
      if (byte === QUOTE) isInString = true;
      else if (byte === COLON) {
        if (++this.#properties > this.#maxProperties) throw this.#tooMany(place);
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (++this.#depth > this.#maxDepth) throw this.#tooDeep(place);
      } else if (--this.#depth === 0) {
        if (byte === CLOSE_BRACE) return at;
        throw this.#errors.row(place, 'is not valid JSON');
      }
    }
    this.#isInString = isInString;
    return -1;
  }

  #tooDeep(place: RowPlace): Error {
    return this.#maxDepth === 1 ? this.#errors.notFlat(place) : this.#errors.tooDeep(place);
  }

  #tooMany(place: RowPlace): Error {
    return this.#maxDepth === 1 ? this.#errors.tooManyColumns(place) : this.#errors.tooLarge(place);
  }
}

const [QUOTE, COLON, BACKSLASH] = [0x22, 0x3a, 0x5c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const IN_STRING = byteTable([QUOTE, BACKSLASH]);
const OUTSIDE = byteTable([QUOTE, COLON, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET]);
