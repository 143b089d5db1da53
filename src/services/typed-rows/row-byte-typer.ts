import { byteTable } from '../../buffers/byte-table.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { parseRow } from '../record-export/id-of-row.js';
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
  #out: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
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
    let at = 0;
    /** What has been read and not copied yet begins here. */
    let from = 0;
    let isListBlank = true;
    let isListEmpty = true;
    for (let index = 0; index < columns.length; index++) {
      const { lead, isText, valueOf, choice } = columns[index] as ByteColumn;
      if (!begins(row, at, lead)) return this.#undo(before);
      const opening = at;
      const start = (at += lead.length);
      at = endOfValue(row, start, isText);
      if (at === -1) return this.#undo(before);
      if (choice !== undefined) {
        if (choice.opening !== undefined) {
          this.#copy(row, from, opening);
          this.#copy(choice.opening, 0, choice.opening.length);
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
            this.#copy(isListEmpty ? LIST_START : LIST_NEXT, 0, 1);
            this.#copy(choice.code, 0, choice.code.length);
            isListEmpty = false;
          }
        }
        if (choice.isLast) {
          const end = isListBlank ? NULL : isListEmpty ? EMPTY_LIST : LIST_END;
          this.#copy(end, 0, end.length);
        }
        continue;
      }
      if (row[start] !== QUOTE) {
        if (valueOf(row, start, at) !== BARE) return this.#undo(before);
        continue;
      }
      if (at - start === 2) {
        this.#copy(row, from, start);
        this.#copy(NULL, 0, NULL.length);
        from = at;
        continue;
      }
      if (isText) continue;
      const value = valueOf(row, start + 1, at - 1);
      if (value === SAME) continue;
      if (value === undefined) return this.#undo(before);
      this.#copy(row, from, start);
      if (value === BARE) this.#copy(row, start + 1, at - 1);
      else this.#copy(value, 0, value.length);
      from = at;
    }
    if (row[at] !== CLOSE_BRACE || at + 1 !== row.length) return this.#undo(before);
    this.#copy(row, from, row.length);
    return true;
  }

  #undo(length: number): false {
    this.#length = length;
    return false;
  }

  /** Copies in a loop: most parts are too short for the overhead of a native call to pay off. */
  #copy(source: Buffer, from: number, end: number): void {
    this.#reserve(end - from);
    if (end - from > LONG_BYTES) {
      this.#length += source.copy(this.#out, this.#length, from, end);
      return;
    }
    const out = this.#out;
    let at = this.#length;
    for (let index = from; index < end; index++) out[at++] = source[index] as number;
    this.#length = at;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#out.length * 2, this.#length + bytes));
    this.#out.copy(larger, 0, 0, this.#length);
    this.#out = larger;
  }
}

function begins(row: Buffer, at: number, lead: Buffer): boolean {
  const { length } = lead;
  // From the end: the names of neighbouring columns often begin alike.
  for (let index = length - 1; index >= 0; index--) if (row[at + index] !== lead[index]) return false;
  return true;
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
const LONG_BYTES = 128;
const FIRST_BYTES = 256 * 1024;
