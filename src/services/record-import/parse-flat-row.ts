import { MalformedRequestError } from '../../errors/malformed-request-error.js';
import { isForbiddenName, type SentRow } from './import-event.js';

/** More columns than any project of REDCap has in one row (IN-03). */
const MAX_CELLS = 10_000;

/**
 * Reads the JSON text of one row: an object of strings, numbers, booleans and nulls. Nesting is found before
 * the text is parsed, in one pass: no depth is too much for it (IN-03).
 *
 * @param position the record's number, from 1, for the message: the text is never repeated (IN-07)
 * @throws {MalformedRequestError} it is not UTF-8, not JSON or not flat, or has a forbidden name (IN-04)
 */
export function parseFlatRow(bytes: Buffer, position: number): SentRow {
  const text = toText(bytes, position);
  if (isNested(text))
    throw malformed(position, 'is not flat: values are strings, numbers, true, false or null');
  const row = toObject(text, position);
  const names = Object.keys(row);
  if (names.length > MAX_CELLS) throw malformed(position, `has more than ${MAX_CELLS} properties`);
  if (names.some(isForbiddenName)) throw malformed(position, 'has a property with a reserved name');
  return row;
}

/** The text of the bytes of one record. @throws {MalformedRequestError} they are not UTF-8 */
function toText(bytes: Buffer, position: number): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw malformed(position, 'is not UTF-8');
  }
}

function toObject(text: string, position: number): SentRow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text: it is left behind.
    throw malformed(position, 'is not valid JSON');
  }
  if (typeof value !== 'object' || value === null) throw malformed(position, 'is not a JSON object');
  // isNested has seen that nothing stands in it but scalars.
  return value as SentRow;
}

/** Whether an array or object stands inside of the outermost one, or beside it. */
function isNested(text: string): boolean {
  if (!text.includes('[') && text.indexOf('{') === text.lastIndexOf('{')) return false;
  let isInString = false;
  let opened = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInString = !isInString;
    else if (code === BACKSLASH) at++;
    else if (!isInString && (code === OPEN_BRACE || code === OPEN_BRACKET) && ++opened > 1) return true;
  }
  return text.trimStart().startsWith('[');
}

function malformed(position: number, rule: string): MalformedRequestError {
  return new MalformedRequestError(`Record number ${position} of the body ${rule}.`);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
