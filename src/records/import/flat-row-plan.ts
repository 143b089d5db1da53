import {
  CLOSE_BRACE,
  COLON,
  COMMA,
  OPEN_BRACE,
  QUOTE,
  behindBlanks,
  endOfNumber,
  endOfText,
} from '../../bytes/json-scan.js';
import { MemberLeads, viewOf } from '../../bytes/member-leads.js';
import { ANY_BYTES } from '../../dictionary/byte-rules.js';
import type { ColumnCheck } from './column-checks.js';
import type { IgnoredColumns } from './import-remarks.js';
import type { JsonBytes } from './json-bytes.js';
import type { RowKeys } from './row-keys.js';

/** A column at its position in the rows of an input. */
interface PlannedColumn {
  /** The byte before its name: `{` or `,`. */
  readonly separator: number;
  /** Its name as JSON, with quotes. */
  readonly key: Uint8Array;
  readonly check: ColumnCheck;
  readonly accepts: ColumnCheck['accepts'];
  readonly ruleBrokenBy: ColumnCheck['ruleBrokenBy'];
  readonly warnAbout: ColumnCheck['warnAbout'];
  readonly isId: boolean;
  /** Whether its values are not checked, so that they may contain escapes unchanged. */
  readonly isFree: boolean;
}

/**
 * Reads JSON rows that have the same columns in the same order as an earlier row, as nearly all rows of an import do.
 * Checks their cells by position, on their bytes and in one pass, and decodes only the record id. A row that differs in
 * any way is not refused here. It is left to `RowChecker`, which parses it.
 */
export class FlatRowPlan {
  /** Whether the rows have columns that are not sent. */
  readonly hasIgnored: boolean;
  readonly #columns: readonly PlannedColumn[];
  readonly #acceptsId: (record: string) => boolean;
  /** The indexes of `KEY_COLUMNS`; -1 for a column that the rows do not have. */
  readonly #keyIndexes: readonly number[];
  readonly #leads: MemberLeads;
  /** Start and end of each value of the last row. */
  readonly #bounds: Uint32Array;
  #bytes: Buffer = NOTHING;
  #view = viewOf(NOTHING);
  #record = '';

  /**
   * @param checks the checks of the earlier row's columns, in order
   * @param acceptsId decides about the record id of a row
   */
  constructor(checks: readonly ColumnCheck[], idColumn: string, acceptsId: (record: string) => boolean) {
    this.#columns = checks.map((check, index) => ({
      separator: index === 0 ? OPEN_BRACE : COMMA,
      key: Buffer.from(JSON.stringify(check.name)),
      check,
      accepts: check.accepts,
      ruleBrokenBy: check.ruleBrokenBy,
      warnAbout: check.warnAbout,
      isId: check.name === idColumn,
      isFree: check.ignored !== undefined || check.accepts === ANY_BYTES,
    }));
    this.#acceptsId = acceptsId;
    this.hasIgnored = checks.some(({ ignored }) => ignored !== undefined);
    this.#keyIndexes = KEY_COLUMNS.map((name) => checks.findIndex((check) => check.name === name));
    this.#leads = new MemberLeads(checks.length);
    this.#bounds = new Uint32Array(checks.length * 2);
  }

  /** The record of the last row read. */
  get record(): string {
    return this.#record;
  }

  /** Whether REDCap chooses the repeat instance of the last row. */
  get isNewInstance(): boolean {
    const index = this.#keyIndexes[2] ?? -1;
    // Any other value that the check of the column accepts is a number.
    return index !== -1 && this.#bytes[this.#startOf(index)] === LETTER_N;
  }

  /**
   * @param from the offset at which a flat object begins
   * @returns the offset at which it ends if it has these columns and every value is certainly valid; otherwise, or if
   *   the bytes end before the object does, -1
   */
  read(bytes: Buffer, from: number): number {
    this.#use(bytes);
    const columns = this.#columns;
    const bounds = this.#bounds;
    const leads = this.#leads;
    const view = this.#view;
    let at = from;
    for (let index = 0; index < columns.length; index++) {
      let start = leads.endAt(view, index, at);
      if (start === -1) start = this.#findValue(index, at);
      if (start === -1) return -1;
      const { accepts, ruleBrokenBy, warnAbout, isId, isFree } = columns[index] as PlannedColumn;
      let isText = bytes[start - 1] === QUOTE;
      if (!isText && bytes[start] === QUOTE) {
        isText = true;
        start++;
      }
      const end = isText ? endOfText(bytes, start, isFree) : endOfNumber(bytes, start);
      if (end === -1) return -1;
      if (isId) {
        if (!isText || !this.#takeRecord(start, end)) return -1;
      } else if (!isFree && start < end && !accepts(bytes, start, end)) {
        const value = bytes.toString('utf8', start, end);
        if (ruleBrokenBy(value) !== undefined || warnAbout?.(value) !== undefined) return -1;
      }
      bounds[index * 2] = start;
      bounds[index * 2 + 1] = end;
      at = isText ? end + 1 : end;
    }
    at = behindBlanks(bytes, at);
    return bytes[at] === CLOSE_BRACE ? at + 1 : -1;
  }

  /** Adds the values that distinguish the row from other rows of its record. */
  addKey(keys: RowKeys): void {
    for (const index of this.#keyIndexes) {
      if (index === -1) keys.addText('');
      else keys.addBytes(this.#bytes, this.#startOf(index), this.#endOf(index));
    }
  }

  /** Counts the columns that are not sent. @returns the last row without them */
  withoutIgnored(target: JsonBytes, ignored: IgnoredColumns): Buffer {
    target.clear();
    let separator: number = OPEN_BRACE;
    for (const [index, { key, check }] of this.#columns.entries()) {
      const [start, end] = [this.#startOf(index), this.#endOf(index)];
      if (check.ignored !== undefined) {
        ignored.add(check.name, check.ignored, start === end);
        continue;
      }
      target.addByte(separator);
      separator = COMMA;
      target.add(key);
      target.addByte(COLON);
      const isText = this.#bytes[start - 1] === QUOTE;
      target.add(this.#bytes, isText ? start - 1 : start, isText ? end + 1 : end);
    }
    // The column with the record id is always sent, so there is at least one member.
    target.addByte(CLOSE_BRACE);
    return target.bytes;
  }

  /** Creates the view once for all rows of one piece. */
  #use(bytes: Buffer): void {
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }

  /**
   * @returns the offset of a member's value, after its opening quote, whatever whitespace surrounds it; -1 for another
   * member
   */
  #findValue(index: number, from: number): number {
    const bytes = this.#bytes;
    const { separator, key } = this.#columns[index] as PlannedColumn;
    let at = behindBlanks(bytes, from);
    if (bytes[at] !== separator) return -1;
    at = behindBlanks(bytes, at + 1);
    for (let place = 0; place < key.length; place++) if (bytes[at++] !== key[place]) return -1;
    at = behindBlanks(bytes, at);
    if (bytes[at] !== COLON) return -1;
    at = behindBlanks(bytes, at + 1);
    const start = bytes[at] === QUOTE ? at + 1 : at;
    this.#leads.learn(index, bytes.subarray(from, start));
    return start;
  }

  #startOf(index: number): number {
    return this.#bounds[index * 2] ?? 0;
  }

  #endOf(index: number): number {
    return this.#bounds[index * 2 + 1] ?? 0;
  }

  #takeRecord(start: number, end: number): boolean {
    const bytes = this.#bytes;
    for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > LAST_ASCII) return false;
    this.#record = bytes.toString('latin1', start, end);
    return this.#acceptsId(this.#record);
  }
}

/** The columns that distinguish the rows of one record. */
export const KEY_COLUMNS = [
  'redcap_event_name',
  'redcap_repeat_instrument',
  'redcap_repeat_instance',
] as const;

const [LETTER_N, LAST_ASCII] = [0x6e, 0x7f];
const NOTHING = Buffer.alloc(0);

/** The plans for the most recent row shapes. */
export class FlatRowPlans {
  /** Most recently used first. */
  readonly #plans: FlatRowPlan[] = [];

  /** The plan that read the last row. */
  get last(): FlatRowPlan | undefined {
    return this.#plans[0];
  }

  /** @returns the offset at which the row ends, with details in `last`; -1 for a row that no plan can read */
  read(bytes: Buffer, from: number): number {
    const plans = this.#plans;
    for (let index = 0; index < plans.length; index++) {
      const end = (plans[index] as FlatRowPlan).read(bytes, from);
      if (end === -1) continue;
      if (index > 0) plans.unshift(...plans.splice(index, 1));
      return end;
    }
    return -1;
  }

  add(plan: FlatRowPlan): void {
    this.#plans.unshift(plan);
    if (this.#plans.length > MAX_PLANS) this.#plans.pop();
  }
}

/** Enough for base rows and a few repeating instruments. */
const MAX_PLANS = 4;
