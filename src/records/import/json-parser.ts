import { say } from '../../domain/errors/sentences.js';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  IS_BLANK,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../domain/bytes/json-scan.js';
import { HeldBytes } from '../../domain/bytes/held-bytes.js';
import { MalformedRequestError } from '../../domain/errors/caller-errors.js';
import { refusal } from '../../domain/errors/refusal.js';
import { unknownOption } from './import-request.js';
import { isForbiddenName, type InputParser, type InputRow, type RowPlace } from './input-item.js';
import { type JsonRowOptions, parsedRow, RowScan } from './json-object.js';

/**
 * Parses `{ "records": [ … ] }`, `{ "data": [ … ] }` as returned by an export, or a bare list `[ … ]`. Pieces may be cut
 * anywhere. A row that is nested deeper than a flat or typed row is refused at the first bracket too many, so nesting
 * costs nothing at any depth (IN-03). The `misfits` after typed rows are skipped.
 *
 * Memory: the incomplete row at the end of a piece, at most `maxRowBytes`.
 */
export class JsonParser implements InputParser {
  readonly #rowScan: RowScan;
  readonly #misfitsScan: RowScan;
  readonly #seen = new Set<string>();
  #place: Place = 'start';
  #name = '';
  #isList = false;
  #rows = 0;
  #line = 1;
  /** Line on which the current row, or the misfits after the rows, began. */
  #rowLine = 1;
  #isEscaped = false;
  readonly #held = new HeldBytes();
  /** The row that has just been completed, if any. */
  #row: InputRow | undefined;

  constructor(private readonly options: JsonRowOptions) {
    this.#rowScan = new RowScan(options.errors, options.areTyped);
    this.#misfitsScan = new RowScan(options.errors.inPart('The report of misfits'), true);
  }

  /**
   * @throws {InvalidRequestError} a property is unknown or given twice, or there are no records
   * @throws {MalformedRequestError} the bytes are not a JSON import
   */
  *push(piece: Buffer): Generator<InputRow, void, undefined> {
    let at = 0;
    while (at < piece.length) {
      const from = at;
      if (this.#place === 'record') at = this.#takeRecord(piece, at);
      else if (this.#place === 'name') at = this.#takeName(piece, at);
      else if (this.#place === 'misfits') at = this.#skipMisfits(piece, at);
      else at = this.#takeBetween(piece, at);
      this.#countLines(piece, from, at);
      if (this.#row === undefined) continue;
      yield this.#row;
      this.#row = undefined;
    }
  }

  /**
   * @throws {InvalidRequestError} there were no records
   * @throws {MalformedRequestError} the body is cut short
   */
  end(): readonly InputRow[] {
    if (this.#place !== 'end') throw this.options.errors.whole(say('ends_early', { where: this.#where }));
    if (this.#rows === 0) throw refusal('records', 'is missing');
    return [];
  }

  get #where(): string {
    return this.#rows === 0
      ? 'before its first record'
      : `after record number ${this.#rows} (line ${this.#line})`;
  }

  get #rowPlace(): RowPlace {
    return { row: this.#rows + 1, line: this.#rowLine };
  }

  #countLines(piece: Buffer, from: number, end: number): void {
    if (end - from === 1) {
      if (piece[from] === LINE_FEED) this.#line++;
      return;
    }
    // Most rows contain no line break, so native code searches for one.
    const part = piece.subarray(from, end);
    for (let at = part.indexOf(LINE_FEED); at !== -1; at = part.indexOf(LINE_FEED, at + 1)) this.#line++;
  }

  #takeBetween(piece: Buffer, from: number): number {
    const byte = piece[from] ?? 0;
    if (IS_BLANK[byte] === 1) return from + 1;
    if (this.#place === 'value') {
      this.#place = this.#placeOfValue(byte);
      return this.#place === 'first record' ? from + 1 : from;
    }
    if (this.#place === 'start') this.#isList = byte === OPEN_BRACKET;
    const next = placeAfter(this.#place, byte, this.#isList);
    if (next === undefined) throw this.options.errors.whole(say('not_list', { where: this.#where }));
    if (this.#place === 'first record' && byte === CLOSE_BRACKET)
      throw refusal('records', 'must not be empty');
    this.#place = next;
    if (next !== 'record') return from + 1;
    this.#rowLine = this.#line;
    this.#rowScan.begin();
    return from;
  }

  #placeOfValue(byte: number): Place {
    if (LISTS.has(this.#name)) {
      if (byte !== OPEN_BRACKET) throw refusal('records', 'must be a list');
      return 'first record';
    }
    if (byte !== OPEN_BRACE) throw refusal(MISFITS, 'must be an object');
    this.#rowLine = this.#line;
    this.#misfitsScan.begin();
    return 'misfits';
  }

  #takeName(piece: Buffer, from: number): number {
    const end = this.#endOfString(piece, from);
    this.#hold(piece.subarray(from, end === -1 ? piece.length : end), MAX_NAME_BYTES);
    if (end === -1) return piece.length;

    const name = parsedName(Buffer.concat([QUOTE_BYTES, this.#held.take()]));
    if (isForbiddenName(name)) throw this.options.errors.whole(say('reserved_property'));
    const isMisfits = this.options.areTyped && name === MISFITS;
    if (!LISTS.has(name) && !isMisfits) throw unknownOption(name, ': its options are in the address');
    const key = LISTS.has(name) ? 'records' : name;
    if (this.#seen.has(key)) throw refusal(name, 'must be given once');
    this.#seen.add(key);
    this.#name = name;
    this.#place = 'colon';
    return end;
  }

  /** @returns the position after the closing quote, or -1 */
  #endOfString(piece: Buffer, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) return at + 1;
    }
    return -1;
  }

  #takeRecord(piece: Buffer, from: number): number {
    const end = this.#rowScan.find(piece, from, this.#rowPlace);
    const slice = piece.subarray(from, end === -1 ? piece.length : end);
    this.#hold(slice, this.options.maxRowBytes);
    if (end === -1) return piece.length;
    this.#row = parsedRow(this.#held.take(), this.#rowPlace, this.options.errors);
    this.#rows++;
    this.#place = 'after record';
    return end;
  }

  /** Skips the report of values without a type: the values themselves are in the rows, as text. */
  #skipMisfits(piece: Buffer, from: number): number {
    const end = this.#misfitsScan.find(piece, from, { row: 0, line: this.#rowLine });
    if (end !== -1) this.#place = 'after value';
    return end === -1 ? piece.length : end;
  }

  #hold(bytes: Buffer, limit: number): void {
    if (this.#held.length + bytes.length > limit)
      throw this.options.errors.whole(say('part_too_large', { where: this.#where }));
    this.#held.add(bytes);
  }
}

const LINE_FEED = 0x0a;

/** The property in which an export of typed values reports misfits, after its rows. */
const MISFITS = 'misfits';
/** Accepted names of the list of rows: `records` as in an import, `data` as in the answer to an export. */
const LISTS: ReadonlySet<string> = new Set(['records', 'data']);
const QUOTE_BYTES = Buffer.from('"');
/** The longest name of a property beside the rows, in bytes. */
const MAX_NAME_BYTES = 200;

function parsedName(bytes: Buffer): string {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as string; // it is in quotes
  } catch {
    throw new MalformedRequestError('A property beside the records is not valid JSON.');
  }
}

/** Where a `JsonParser` is in its input: what it has read last, or what it expects next. */
type Place =
  | 'start'
  | 'first name'
  | 'next name'
  | 'name'
  | 'colon'
  | 'value'
  | 'misfits'
  | 'after value'
  | 'first record'
  | 'record'
  | 'after record'
  | 'next record'
  | 'end';

/**
 * By place: the bytes that may follow, and where they lead. A name is read by its own rules. A bare list of records differs at its start and its end.
 */
const NEXT_PLACE: Readonly<Partial<Record<Place, Readonly<Partial<Record<number, Place>>>>>> = {
  start: { [OPEN_BRACE]: 'first name' },
  'first name': { [QUOTE]: 'name', [CLOSE_BRACE]: 'end' },
  'next name': { [QUOTE]: 'name' },
  colon: { [COLON]: 'value' },
  'after value': { [COMMA]: 'next name', [CLOSE_BRACE]: 'end' },
  'first record': { [OPEN_BRACE]: 'record', [CLOSE_BRACKET]: 'after value' },
  'after record': { [COMMA]: 'next record', [CLOSE_BRACKET]: 'after value' },
  'next record': { [OPEN_BRACE]: 'record' },
};

/** @param isList whether the input is a bare list of records @returns undefined if the byte must not be there */
function placeAfter(place: Place, byte: number, isList: boolean): Place | undefined {
  if (place === 'start' && byte === OPEN_BRACKET) return 'first record';
  if (isList && place === 'after record' && byte === CLOSE_BRACKET) return 'end';
  return NEXT_PLACE[place]?.[byte];
}
