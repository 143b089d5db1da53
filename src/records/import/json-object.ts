import type { InputErrors } from './input-errors.js';
import { isForbiddenName, type RowPlace } from './input-item.js';
import { MAX_COLUMNS } from './input-limits.js';
import { IS_BLANK } from './json-scan.js';
import type { ObjectEnd } from './object-end.js';

/**
 * Refuses anything but a JSON object with a limited depth and number of properties. It scans the bytes once before they
 * are parsed, so that nesting of any depth is harmless and a million properties are never created (IN-03). Other errors
 * are found by the parser.
 *
 * @param bytes without leading and trailing whitespace
 */
export function checkObject(bytes: Buffer, place: RowPlace, objectEnd: ObjectEnd, errors: InputErrors): void {
  if (bytes[0] !== OPEN_BRACE) throw errors.row(place, 'is not a JSON object');
  objectEnd.begin();
  if (objectEnd.find(bytes, 0, place) !== bytes.length) throw errors.row(place, 'is not valid JSON');
}

/**
 * Parses one row whose depth and number of properties are known to be limited, either from `checkObject` or from the
 * parser that found its end.
 *
 * @throws {MalformedRequestError} it is not JSON, or has a forbidden name (IN-04) or too many columns
 */
export function parseObject(bytes: Buffer, place: RowPlace, errors: InputErrors): Record<string, unknown> {
  let row: Record<string, unknown>;
  try {
    // It is known to begin with a brace.
    row = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  } catch {
    // The parser's message is dropped because it quotes the text.
    throw errors.row(place, 'is not valid JSON');
  }
  let columns = 0;
  for (const name in row) {
    if (isForbiddenName(name)) throw errors.row(place, 'has a property with a reserved name');
    columns++;
  }
  if (columns > MAX_COLUMNS) throw errors.tooManyColumns(place);
  return row;
}

/** Returns the bytes without leading and trailing JSON whitespace. */
export function withoutBlanks(bytes: Buffer): Buffer {
  let [start, end] = [0, bytes.length];
  while (start < end && IS_BLANK[bytes[start] ?? 0] === 1) start++;
  while (end > start && IS_BLANK[bytes[end - 1] ?? 0] === 1) end--;
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}

const OPEN_BRACE = 0x7b;
