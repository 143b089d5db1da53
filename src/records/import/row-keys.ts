import { MAX_REMEMBERED } from './input-limits.js';
import type { RowPlace } from './input-item.js';

/** A row with the same key as an earlier row. */
export interface RepeatedRow extends RowPlace {
  readonly record: string;
}

/**
 * Finds rows for the same record, event, instrument and instance, and in EAV also the same field. REDCap keeps the
 * value of the last one, which is rarely intended. Keeps the keys of at most a million rows.
 */
export class RowKeys {
  readonly #keys = new Set<string>();
  readonly #rows: RepeatedRow[] = [];
  #count = 0;
  #pending: string | undefined;

  get count(): number {
    return this.#count;
  }

  /** The first rows that repeat an earlier one. */
  get rows(): readonly RepeatedRow[] {
    return this.#rows;
  }

  /** Notes the key of the current row. */
  start(texts: readonly string[]): void {
    this.#pending = texts.join('\0');
  }

  /** Completes the key of a valid row, if one was noted. */
  endRow(record: string, { row, line }: RowPlace): void {
    const key = this.#pending;
    if (key === undefined) return;
    this.#pending = undefined;
    if (!this.#keys.has(key)) {
      if (this.#keys.size < MAX_REMEMBERED) this.#keys.add(key);
      return;
    }
    this.#count++;
    if (this.#rows.length < MAX_ROWS) this.#rows.push({ record, row, line });
  }

  /** Discards the key of the current row, which will be read again or not sent. */
  dropRow(): void {
    this.#pending = undefined;
  }
}

const MAX_ROWS = 100;
