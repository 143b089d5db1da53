import { Hash, HashSet } from './hash-set.js';
import type { RowPlace } from './input-item.js';

/** A row with the same key as an earlier row. */
export interface RepeatedRow extends RowPlace {
  readonly record: string;
}

/**
 * Finds rows for the same record, event, instrument and instance, and in EAV also the same field. REDCap keeps the
 * value of the last one, which is rarely intended. Keeps one hash per row, for at most a million rows.
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

  /** The first rows that repeat an earlier one. */
  get rows(): readonly RepeatedRow[] {
    return this.#rows;
  }

  /** Starts the key of a row. */
  start(record: string): void {
    this.#isPending = true;
    this.#hash.start();
    this.#hash.addText(record);
  }

  /** Starts the key of a row whose other values are known. */
  startWith(record: string, texts: readonly string[]): void {
    this.start(record);
    for (const text of texts) this.addText(text);
  }

  addText(text: string): void {
    this.#hash.addCode(0);
    this.#hash.addText(text);
  }

  /** @param bytes ASCII only: other names have already been refused */
  addBytes(bytes: Uint8Array, start: number, end: number): void {
    this.#hash.addCode(0);
    for (let at = start; at < end; at++) this.#hash.addCode(bytes[at] ?? 0);
  }

  /** Completes the key of a valid row, if one was started. */
  endRow(record: string, { row, line }: RowPlace): void {
    if (!this.#isPending) return;
    this.#isPending = false;
    this.#hash.end();
    if (!this.#hashes.add(this.#hash)) return;
    this.#count++;
    if (this.#rows.length < MAX_ROWS) this.#rows.push({ record, row, line });
  }

  /** Discards the key of the current row, which will be read again or not sent. */
  dropRow(): void {
    this.#isPending = false;
  }
}

const MAX_ROWS = 100;
