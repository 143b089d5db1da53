import { byteTable } from '../../buffers/byte-table.js';
import type { InputErrors } from './input-errors.js';
import { isForbiddenName, type RowPlace, type SentRow } from './input-item.js';
import { MAX_COLUMNS } from './input-limits.js';

/**
 * Refuses anything but a flat JSON object with a limited number of properties. It scans the bytes once before they are
 * parsed, so that nesting of any depth is harmless and a million properties are never created (IN-03). Other errors are
 * found by the parser.
 *
 * @param bytes without leading and trailing whitespace
 */
export function checkFlatObject(bytes: Uint8Array, place: RowPlace, errors: InputErrors): void {
  const { length } = bytes;
  if (bytes[0] !== OPEN_BRACE) {
    throw bytes[0] === OPEN_BRACKET ? errors.notFlat(place) : errors.row(place, 'is not a JSON object');
  }
  let properties = 0;
  for (let at = 1; at < length; at++) {
    while (at < length && NOTABLE[bytes[at] ?? 0] === 0) at++;
    const byte = bytes[at];
    if (byte === QUOTE) {
      for (at++; at < length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    } else if (byte === COLON) properties++;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) throw errors.notFlat(place);
  }
  if (properties > MAX_COLUMNS) throw errors.tooManyColumns(place);
}

/**
 * Parses one row that is known to be flat, either from `checkFlatObject` or from the parser that found its end.
 *
 * @throws {MalformedRequestError} it is not JSON, or has a forbidden name (IN-04)
 */
export function parseFlatObject(bytes: Buffer, place: RowPlace, errors: InputErrors): SentRow {
  let row: SentRow;
  try {
    // The values are known to be scalars.
    row = JSON.parse(bytes.toString('utf8')) as SentRow;
  } catch {
    // The parser's message is dropped because it quotes the text.
    throw errors.row(place, 'is not valid JSON');
  }
  for (const name in row)
    if (isForbiddenName(name)) throw errors.row(place, 'has a property with a reserved name');
  return row;
}

/** Returns the bytes without leading and trailing JSON whitespace. */
export function withoutBlanks(bytes: Buffer): Buffer {
  let [start, end] = [0, bytes.length];
  while (start < end && isBlank(bytes[start])) start++;
  while (end > start && isBlank(bytes[end - 1])) end--;
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const NOTABLE = byteTable([QUOTE, COLON, OPEN_BRACKET, OPEN_BRACE]);
