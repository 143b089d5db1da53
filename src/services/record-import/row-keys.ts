import { Hash, HashSet } from './hash-set.js';
import type { RowPlace } from './input-item.js';

/** A row for what an earlier row is for, too. */
export interface RepeatedRow extends RowPlace {
  readonly record: string;
}

/**
 * Notices rows that are for the same record, event, instrument and instance, and in EAV the same field: of them the last
 * one wins, which nobody wants who did not mean it. Keeps a hash a row, of at most a million rows.
 */
export class RowKeys {
  readonly #hashes = new HashSet();
  readonly #hash = new Hash();
  readonly #rows: RepeatedRow[] = [];
  #count = 0;
  #isPending = false;

  get count(): number {
    return this.#count;
  }

  /** The first rows that repeat another. */
  get rows(): readonly RepeatedRow[] {
    return this.#rows;
  }

  /** Begins the key of a row. */
  start(record: string): void {
    this.#isPending = true;
    this.#hash.start();
    this.#hash.addText(record);
  }

  addText(text: string): void {
    this.#hash.addCode(0);
    this.#hash.addText(text);
  }

  /** @param bytes of ASCII: other names are refused before */
  addBytes(bytes: Uint8Array, start: number, end: number): void {
    this.#hash.addCode(0);
    for (let at = start; at < end; at++) this.#hash.addCode(bytes[at] ?? 0);
  }

  /** The row whose key was begun, if it was, is valid. */
  endRow(record: string, { row, line }: RowPlace): void {
    if (!this.#isPending) return;
    this.#isPending = false;
    this.#hash.end();
    if (!this.#hashes.add(this.#hash)) return;
    this.#count++;
    if (this.#rows.length < MAX_ROWS) this.#rows.push({ record, row, line });
  }

  /** The row whose key was begun is read again, or not at all. */
  dropRow(): void {
    this.#isPending = false;
  }

  release(): void {
    this.#hashes.release();
  }
}

const MAX_ROWS = 100;
