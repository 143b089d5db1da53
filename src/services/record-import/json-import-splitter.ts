import { InvalidRequestError } from '../../errors/invalid-request-error.js';
import { MalformedRequestError } from '../../errors/malformed-request-error.js';
import { isForbiddenName } from './import-event.js';
import { isImportOption, unknownOption } from './import-options.js';

/** A part of a JSON import: the bytes of one record, or an option beside `records`. */
export type JsonImportPart =
  | { readonly kind: 'record'; readonly bytes: Buffer }
  | { readonly kind: 'option'; readonly name: string; readonly value: unknown };

export interface JsonImportSplitterOptions {
  readonly maxRecordBytes: number;
  /** Whether the records may stand alone, as `[ … ]`. */
  readonly isListAllowed: boolean;
}

/**
 * Splits the bytes of `{ "records": [ … ], … }` into its records, which it does not parse, and its options. Pieces may be
 * cut anywhere. Records are flat: the first bracket inside of one is refused where it stands, so that
 * no depth costs anything (IN-03). What splits REDCap's exports cannot be used: those are bare arrays.
 *
 * Memory: the part of a record that a piece ends with, at most `maxRecordBytes`.
 */
export class JsonImportSplitter {
  readonly #maxRecordBytes: number;
  readonly #isListAllowed: boolean;
  readonly #seen = new Set<string>();
  #place: Place = 'start';
  #name = '';
  #isList = false;
  #records = 0;
  #isInString = false;
  #isEscaped = false;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor({ maxRecordBytes, isListAllowed }: JsonImportSplitterOptions) {
    this.#maxRecordBytes = maxRecordBytes;
    this.#isListAllowed = isListAllowed;
  }

  /**
   * @returns the parts that are complete with these bytes
   * @throws {InvalidRequestError} a property is unknown or stands twice, or there are no records
   * @throws {MalformedRequestError} the bytes are not those of a JSON import
   */
  push(piece: Buffer): JsonImportPart[] {
    const parts: JsonImportPart[] = [];
    let at = 0;
    while (at < piece.length) {
      if (this.#place === 'record') at = this.#takeRecord(piece, at, parts);
      else if (this.#place === 'name') at = this.#takeName(piece, at);
      else if (this.#place === 'scalar') at = this.#takeScalar(piece, at, parts);
      else at = this.#takeBetween(piece, at);
    }
    return parts;
  }

  /** @throws {InvalidRequestError} there were no records @throws {MalformedRequestError} the body is cut short */
  end(): void {
    if (this.#place !== 'end') throw new MalformedRequestError(`${this.#where} the body ends too early.`);
    if (this.#records === 0) throw noRecords('is missing');
  }

  get #where(): string {
    return this.#records === 0 ? 'Before its first record' : `After record number ${this.#records}`;
  }

  #takeBetween(piece: Buffer, from: number): number {
    const byte = piece[from] ?? 0;
    if (byte === SPACE || byte === TAB || byte === LINE_FEED || byte === CARRIAGE_RETURN) return from + 1;
    if (this.#place === 'value') {
      this.#place = this.#placeOfValue(byte);
      return this.#place === 'scalar' ? from : from + 1;
    }
    const next = this.#nextPlace(byte);
    if (next === undefined) {
      throw new MalformedRequestError(`${this.#where} the body is not a JSON object with a list of records.`);
    }
    if (this.#place === 'first record' && byte === CLOSE_BRACKET) throw noRecords('must not be empty');
    this.#place = next;
    return next === 'record' ? from : from + 1;
  }

  #nextPlace(byte: number): Place | undefined {
    if (this.#place === 'start' && byte === OPEN_BRACKET && this.#isListAllowed) {
      this.#isList = true;
      return 'first record';
    }
    const isEndOfList = this.#isList && this.#place === 'after record' && byte === CLOSE_BRACKET;
    return isEndOfList ? 'end' : NEXT_PLACE[this.#place][byte];
  }

  #placeOfValue(byte: number): Place {
    if (this.#name !== 'records') return 'scalar';
    if (byte !== OPEN_BRACKET) throw noRecords('must be a list');
    return 'first record';
  }

  #takeName(piece: Buffer, from: number): number {
    const end = this.#endOfString(piece, from);
    this.#hold(piece.subarray(from, end === -1 ? piece.length : end), MAX_TOKEN_BYTES);
    if (end === -1) return piece.length;

    const name = parsedToken(Buffer.concat([QUOTE_BYTES, this.#release()]));
    if (typeof name !== 'string') throw new MalformedRequestError(UNREADABLE_TOKEN);
    if (isForbiddenName(name)) {
      throw new MalformedRequestError('The body has a property with a reserved name.');
    }
    if (name !== 'records' && !isImportOption(name)) throw unknownOption(name);
    if (this.#seen.has(name)) {
      throw new InvalidRequestError([{ field: name, message: 'must not stand twice in the body' }]);
    }
    this.#seen.add(name);
    this.#name = name;
    this.#place = 'colon';
    return end;
  }

  #takeScalar(piece: Buffer, from: number, parts: JsonImportPart[]): number {
    let at = from;
    // A string may hold what ends other values.
    if (this.#heldBytes === 0 && piece[at] === QUOTE) {
      this.#isInString = true;
      at++;
    }
    if (this.#isInString) {
      const end = this.#endOfString(piece, at);
      at = end === -1 ? piece.length : end;
      if (end !== -1) this.#isInString = false;
    }
    if (!this.#isInString) while (at < piece.length && ENDS_SCALAR[piece[at] ?? 0] === 0) at++;
    this.#hold(piece.subarray(from, at), MAX_TOKEN_BYTES);
    if (at < piece.length) {
      parts.push({ kind: 'option', name: this.#name, value: parsedToken(this.#release()) });
      this.#place = 'after value';
    }
    return at;
  }

  /** @returns the position behind the closing quote, or -1 */
  #endOfString(piece: Buffer, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) return at + 1;
    }
    return -1;
  }

  #takeRecord(piece: Buffer, from: number, parts: JsonImportPart[]): number {
    const end = this.#endOfRecord(piece, from);
    const slice = piece.subarray(from, end === -1 ? piece.length : end);
    this.#hold(slice, this.#maxRecordBytes);
    if (end === -1) return piece.length;
    this.#records++;
    parts.push({ kind: 'record', bytes: this.#release() });
    this.#place = 'after record';
    return end;
  }

  /** Finds the brace that closes the record. One pass with tables, as over an export. */
  #endOfRecord(piece: Buffer, from: number): number {
    const { length } = piece;
    let at = from;
    let isInString = this.#isInString;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at++;
    }
    // The brace that opens the record is the only one it may have.
    if (this.#heldBytes === 0) at++;
    while (at < length) {
      if (isInString) {
        while (at < length && IN_STRING[piece[at] ?? 0] === 0) at++;
        if (at >= length) break;
        if (piece[at++] === QUOTE) isInString = false;
        else if (at++ === length) this.#isEscaped = true;
      } else {
        while (at < length && IN_RECORD[piece[at] ?? 0] === 0) at++;
        if (at >= length) break;
        const byte = piece[at++];
        if (byte === QUOTE) isInString = true;
        else if (byte === CLOSE_BRACE) {
          this.#isInString = false;
          return at;
        } else throw this.#notFlat();
      }
    }
    this.#isInString = isInString;
    return -1;
  }

  #notFlat(): MalformedRequestError {
    const rule = 'is not flat: values are strings, numbers, true, false or null';
    return new MalformedRequestError(`Record number ${this.#records + 1} of the body ${rule}.`);
  }

  #hold(bytes: Buffer, limit: number): void {
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > limit) {
      throw new MalformedRequestError(`${this.#where} something is larger than this service reads.`);
    }
    this.#held.push(bytes);
    // What drips in byte by byte must not become a list of a million buffers.
    if (this.#held.length >= MANY_PIECES) this.#held = [Buffer.concat(this.#held)];
  }

  #release(): Buffer {
    const [only, ...others] = this.#held;
    const bytes = only !== undefined && others.length === 0 ? only : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return bytes;
  }
}

type Place =
  | 'start'
  | 'mark'
  | 'marked'
  | 'first name'
  | 'next name'
  | 'name'
  | 'colon'
  | 'value'
  | 'scalar'
  | 'after value'
  | 'first record'
  | 'record'
  | 'after record'
  | 'next record'
  | 'end';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** The byte order mark in UTF-8. */
const [MARK_1, MARK_2, MARK_3] = [0xef, 0xbb, 0xbf] as const;

const NEXT_PLACE: Readonly<Record<Place, Readonly<Partial<Record<number, Place>>>>> = {
  start: { [MARK_1]: 'mark', [OPEN_BRACE]: 'first name' },
  mark: { [MARK_2]: 'marked' },
  marked: { [MARK_3]: 'start' },
  'first name': { [QUOTE]: 'name', [CLOSE_BRACE]: 'end' },
  'next name': { [QUOTE]: 'name' },
  name: {},
  colon: { [COLON]: 'value' },
  value: {},
  scalar: {},
  'after value': { [COMMA]: 'next name', [CLOSE_BRACE]: 'end' },
  'first record': { [OPEN_BRACE]: 'record', [CLOSE_BRACKET]: 'after value' },
  record: {},
  'after record': { [COMMA]: 'next record', [CLOSE_BRACKET]: 'after value' },
  'next record': { [OPEN_BRACE]: 'record' },
  end: {},
};

const ENDS_SCALAR = tableOf([SPACE, TAB, LINE_FEED, CARRIAGE_RETURN, COMMA, CLOSE_BRACE]);
const IN_STRING = tableOf([QUOTE, BACKSLASH]);
const IN_RECORD = tableOf([QUOTE, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET]);

const QUOTE_BYTES = Buffer.from('"');
/** The longest name or value of an option, in bytes. */
const MAX_TOKEN_BYTES = 200;
const MANY_PIECES = 1024;
const UNREADABLE_TOKEN = 'A property beside the records is not valid JSON.';

function parsedToken(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new MalformedRequestError(UNREADABLE_TOKEN);
  }
}

function noRecords(rule: string): InvalidRequestError {
  return new InvalidRequestError([{ field: 'records', message: rule }]);
}

function tableOf(bytes: readonly number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
}
