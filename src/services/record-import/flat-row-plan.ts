import { byteTable } from '../../buffers/byte-table.js';
import { ANY_BYTES } from '../../dictionary/byte-rules.js';
import { isRecordId } from '../../identifiers/record-id.js';
import type { ColumnCheck } from './column-checks.js';
import type { IgnoredColumns } from './ignored-columns.js';
import type { JsonBytes } from './json-bytes.js';

/** A column that the rows of an input have at one place. */
interface PlannedColumn {
  /** Its name as it stands in JSON, with its quotes. */
  readonly key: Uint8Array;
  readonly check: ColumnCheck;
  readonly isId: boolean;
}

/**
 * Reads rows of JSON that have the columns of an earlier row in the same order, which nearly all rows of an import do:
 * checks their cells by position, on their bytes, and makes nothing of a row but its id. A row that is different in any way
 * is not refused here but left to `RowChecker`, which parses it.
 */
export class FlatRowPlan {
  readonly #columns: readonly PlannedColumn[];
  readonly #recordIdMinLength: number;
  readonly #hasIgnored: boolean;
  /** Where each member begins, and where it ends: of the last row. */
  readonly #bounds: Uint32Array;
  readonly #structure: readonly number[];

  /** The record of the last row that was read. */
  record = '';

  /**
   * @param checks those of the columns of the earlier row, in order
   * @param recordIdMinLength the least length of a record id; 0 where any name will do
   */
  constructor(checks: readonly ColumnCheck[], idColumn: string, recordIdMinLength: number) {
    this.#columns = checks.map((check) => ({
      key: Buffer.from(JSON.stringify(check.name)),
      check,
      isId: check.name === idColumn,
    }));
    this.#recordIdMinLength = recordIdMinLength;
    this.#hasIgnored = checks.some(({ ignored }) => ignored !== undefined);
    this.#bounds = new Uint32Array(checks.length * 4);
    this.#structure = KEY_COLUMNS.map((name) => checks.findIndex((check) => check.name === name));
  }

  /** Whether REDCap chooses the instance of the last row. */
  isNewInstance(bytes: Uint8Array): boolean {
    const at = this.#structure[2] ?? -1;
    // Everything else that the check of the column lets through is a number.
    return at !== -1 && bytes[this.valueStart(at)] === LETTER_N;
  }

  /** The columns that tell rows of a record apart, by their index here; -1 for one that the rows have not. */
  get structure(): readonly number[] {
    return this.#structure;
  }

  valueStart(index: number): number {
    return this.#bounds[index * 4 + 1] ?? 0;
  }

  valueEnd(index: number): number {
    return this.#bounds[index * 4 + 2] ?? 0;
  }

  /**
   * @param bytes one flat object in UTF-8, without blanks around it
   * @returns whether the row has these columns, and every value is surely valid
   */
  read(bytes: Buffer): boolean {
    const columns = this.#columns;
    const bounds = this.#bounds;
    let at = 1;
    for (let index = 0; index < columns.length; index++) {
      const { key, check, isId } = columns[index] as PlannedColumn;
      while (IS_BLANK[bytes[at] ?? 0] === 1) at++;
      const memberStart = at;
      for (let place = 0; place < key.length; place++) if (bytes[at + place] !== key[place]) return false;
      at += key.length;
      while (IS_BLANK[bytes[at] ?? 0] === 1) at++;
      if (bytes[at++] !== COLON) return false;
      while (IS_BLANK[bytes[at] ?? 0] === 1) at++;

      const isText = bytes[at] === QUOTE;
      const start = isText ? at + 1 : at;
      const end = isText
        ? endOfText(bytes, start, check.ignored !== undefined || check.accepts === ANY_BYTES)
        : endOfNumber(bytes, start);
      if (end === -1 || (isId && !isText)) return false;
      at = isText ? end + 1 : end;

      if (isId) {
        if (!this.#takeRecord(bytes, start, end)) return false;
      } else if (start < end && check.ignored === undefined && !check.accepts(bytes, start, end)) {
        if (check.ruleBrokenBy(bytes.toString('utf8', start, end)) !== undefined) return false;
      }
      bounds[index * 4] = memberStart;
      bounds[index * 4 + 1] = start;
      bounds[index * 4 + 2] = end;
      bounds[index * 4 + 3] = at;
      while (IS_BLANK[bytes[at] ?? 0] === 1) at++;
      if (bytes[at++] !== (index === columns.length - 1 ? CLOSE_BRACE : COMMA)) return false;
    }
    return at === bytes.length;
  }

  /** @returns the row that was read as it is sent: its own bytes, or without the columns that are left out */
  write(bytes: Buffer, target: JsonBytes, ignored: IgnoredColumns): Buffer {
    if (!this.#hasIgnored) return bytes;
    target.clear();
    target.addByte(OPEN_BRACE);
    let isFirst = true;
    for (const [index, { check }] of this.#columns.entries()) {
      if (check.ignored !== undefined) {
        ignored.add(check.name, check.ignored, this.valueStart(index) === this.valueEnd(index));
        continue;
      }
      if (!isFirst) target.addByte(COMMA);
      isFirst = false;
      target.add(bytes, this.#bounds[index * 4], this.#bounds[index * 4 + 3]);
    }
    target.addByte(CLOSE_BRACE);
    return target.bytes;
  }

  #takeRecord(bytes: Buffer, start: number, end: number): boolean {
    for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > LAST_ASCII) return false;
    this.record = bytes.toString('latin1', start, end);
    return (
      this.record !== '' &&
      (this.#recordIdMinLength === 0 || isRecordId(this.record, this.#recordIdMinLength))
    );
  }
}

/**
 * @param canEscape whether the value is sent without being looked at, so that its escapes may stay as they are
 * @returns where a string ends; -1 for one that has to be parsed, or is none
 */
function endOfText(bytes: Uint8Array, start: number, canEscape: boolean): number {
  let at = start;
  for (;;) {
    while (IS_PLAIN[bytes[at] ?? 0] === 1) at++;
    if (at >= bytes.length) return -1;
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte !== BACKSLASH || !canEscape) return -1;
    const escaped = bytes[at + 1] ?? 0;
    if (IS_ESCAPE[escaped] === 1) at += 2;
    else if (escaped === LETTER_U && isWholeCharacter(bytes, at + 2)) at += 6;
    else return -1;
  }
}

/** Four hexadecimal digits that are no half of a surrogate pair. */
function isWholeCharacter(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] ?? 0;
  if (first === 0x44 || first === 0x64) return false;
  for (let at = start; at < start + 4; at++) if (IS_HEX[bytes[at] ?? 0] === 0) return false;
  return true;
}

/** @returns where a whole number ends that every reader takes for the same; -1 for any other value */
function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start;
  while ((bytes[at] ?? 0) >= ZERO && (bytes[at] ?? 0) <= ZERO + 9) at++;
  const digits = at - start;
  return digits === 0 || digits > 15 || (digits > 1 && bytes[start] === ZERO) ? -1 : at;
}

/** The columns that distinguish the rows of one record. */
export const KEY_COLUMNS = [
  'redcap_event_name',
  'redcap_repeat_instrument',
  'redcap_repeat_instance',
] as const;

const [QUOTE, COMMA, ZERO, COLON, BACKSLASH] = [0x22, 0x2c, 0x30, 0x3a, 0x5c];
const [OPEN_BRACE, CLOSE_BRACE, LETTER_N, LETTER_U, LAST_ASCII] = [0x7b, 0x7d, 0x6e, 0x75, 0x7f];

const IS_BLANK = byteTable(Buffer.from(' \t\n\r'));
const IS_ESCAPE = byteTable(Buffer.from('"\\/bfnrt'));
const IS_HEX = byteTable(Buffer.from('0123456789abcdefABCDEF'));
/** What stands in a string as it is. */
const IS_PLAIN = new Uint8Array(0x100).fill(1, 0x20);
IS_PLAIN[QUOTE] = 0;
IS_PLAIN[BACKSLASH] = 0;
