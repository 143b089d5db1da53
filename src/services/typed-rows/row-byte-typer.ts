import { byteTable } from '../../buffers/byte-table.js';
import { MemberLeads } from '../../buffers/member-leads.js';
import { viewOf } from '../../buffers/view-of.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { parseRow } from '../record-export/parse-row.js';
import { BARE, byteColumns, DIGITS, MAX_DIGITS, SAME, type ByteColumn } from './byte-columns.js';
import type { OnMisfit, RowTyper, TypedOptions } from './row-typer.js';

export interface RowByteTyperOptions extends TypedOptions {
  /** Called for each column that kept its text. */
  readonly onMisfit: OnMisfit;
}

/**
 * Writes rows of REDCap's JSON as JSON with typed values. Most bytes are copied: no object is created for a row whose
 * columns are those of the first row and whose values are plain. All other rows go through `RowTyper`, with the same
 * result.
 */
export class RowByteTyper {
  readonly #typer: RowTyper;
  readonly #structure: ProjectStructure;
  readonly #options: RowByteTyperOptions;
  #hasPlan = false;
  #columns: readonly ByteColumn[] | undefined;
  #leads = new MemberLeads(0);
  #out: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #outView = viewOf(this.#out);
  #length = 0;

  constructor(typer: RowTyper, structure: ProjectStructure, options: RowByteTyperOptions) {
    this.#typer = typer;
    this.#structure = structure;
    this.#options = options;
  }

  /** The number of bytes written and not taken yet. */
  get length(): number {
    return this.#length;
  }

  /** Writes text between rows. */
  addText(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#out.write(text, this.#length);
  }

  /** @param row one flat JSON object */
  add(row: Buffer): void {
    if (!this.#hasPlan) {
      this.#hasPlan = true;
      this.#columns = byteColumns(Object.keys(parseRow(row)), this.#structure, this.#options);
      this.#leads = new MemberLeads(this.#columns?.length ?? 0);
      this.#columns?.forEach(({ lead }, index) => this.#leads.learn(index, lead));
    }
    if (this.#columns !== undefined && this.#copied(row, this.#columns)) return;
    this.addText(JSON.stringify(this.#typer.type(parseRow(row), this.#options.onMisfit)));
  }

  /** Returns a copy of what has been written, and starts again with nothing. */
  take(): Buffer {
    const taken = Buffer.from(this.#out.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }

  /** @returns false, with nothing written, if the row needs the `RowTyper` */
  #copied(row: Buffer, columns: readonly ByteColumn[]): boolean {
    const before = this.#length;
    const leads = this.#leads;
    const view = viewOf(row);
    let at = 0;
    /** What has been read and not copied yet begins here. */
    let from = 0;
    let isListBlank = true;
    let isListEmpty = true;
    for (let index = 0; index < columns.length; index++) {
      const { isText, valueOf, choice } = columns[index] as ByteColumn;
      const opening = at;
      const start = leads.endAt(view, index, at);
      if (start === -1) return this.#undo(before);
      at = endOfValue(row, start, isText);
      if (at === -1) return this.#undo(before);
      if (choice !== undefined) {
        if (choice.opening !== undefined) {
          this.#copy(view, from, opening);
          this.#addBytes(choice.opening);
          isListBlank = true;
          isListEmpty = true;
        }
        from = at;
        if (row[start] !== QUOTE) return this.#undo(before);
        if (at - start > 2) {
          const state = row[start + 1];
          if (at - start > 3 || (state !== ZERO && state !== ONE)) return this.#undo(before);
          isListBlank = false;
          if (state === ONE) {
            this.#addBytes(isListEmpty ? LIST_START : LIST_NEXT);
            this.#addBytes(choice.code);
            isListEmpty = false;
          }
        }
        if (choice.isLast) {
          const end = isListBlank ? NULL : isListEmpty ? EMPTY_LIST : LIST_END;
          this.#addBytes(end);
        }
        continue;
      }
      if (row[start] !== QUOTE) {
        if (valueOf(row, start, at) !== BARE) return this.#undo(before);
        continue;
      }
      if (at - start === 2) {
        this.#copy(view, from, start);
        this.#addBytes(NULL);
        from = at;
        continue;
      }
      if (isText) continue;
      const value = valueOf(row, start + 1, at - 1);
      if (value === SAME) continue;
      if (value === undefined) return this.#undo(before);
      this.#copy(view, from, start);
      if (value === BARE) this.#copy(view, start + 1, at - 1);
      else this.#addBytes(value);
      from = at;
    }
    if (row[at] !== CLOSE_BRACE || at + 1 !== row.length) return this.#undo(before);
    this.#copy(view, from, row.length);
    return true;
  }

  #undo(length: number): false {
    this.#length = length;
    return false;
  }

  /** Copies four bytes at a time: most parts are too short for the overhead of a native call to pay off. */
  #copy(row: DataView, from: number, end: number): void {
    this.#reserve(end - from);
    const out = this.#outView;
    let at = this.#length;
    let index = from;
    for (; index + 4 <= end; index += 4, at += 4) out.setInt32(at, row.getInt32(index));
    for (; index < end; index++, at++) out.setInt8(at, row.getInt8(index));
    this.#length = at;
  }

  #addBytes(bytes: Buffer): void {
    this.#reserve(bytes.length);
    const out = this.#out;
    let at = this.#length;
    for (let index = 0; index < bytes.length; index++) out[at++] = bytes[index] as number;
    this.#length = at;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#out.length * 2, this.#length + bytes));
    this.#out.copy(larger, 0, 0, this.#length);
    this.#out = larger;
    this.#outView = viewOf(larger);
  }
}

/** @returns the position after a text or whole number; -1 for anything else, and for escapes unless they may stay */
function endOfValue(row: Buffer, start: number, mayEscape: boolean): number {
  const { length } = row;
  let at = start + 1;
  if (row[start] === QUOTE) {
    for (;;) {
      while (at < length && ENDS_TEXT[row[at] as number] === 0) at++;
      if (at >= length) return -1;
      if (row[at] === QUOTE) return at + 1;
      if (!mayEscape) return -1;
      if (ESCAPES[row[at + 1] ?? 0] === 0) return -1;
      at += 2;
    }
  }
  if (DIGITS[row[start] ?? 0] === 0 || row[start] === ZERO) return -1;
  while (at < length && DIGITS[row[at] as number] === 1) at++;
  return at - start > MAX_DIGITS ? -1 : at;
}

const [QUOTE, BACKSLASH, ZERO, ONE, CLOSE_BRACE] = [0x22, 0x5c, 0x30, 0x31, 0x7d];
const ENDS_TEXT = byteTable([QUOTE, BACKSLASH]);
/** What may follow a backslash in JSON. */
const ESCAPES = byteTable(Buffer.from('"\\/bfnrtu'));
const NULL = Buffer.from('null');
const [LIST_START, LIST_NEXT, LIST_END, EMPTY_LIST] = ['[', ',', ']', '[]'].map((text) =>
  Buffer.from(text),
) as [Buffer, Buffer, Buffer, Buffer];
const FIRST_BYTES = 256 * 1024;
