import type { RowPlace } from './input-item.js';
import { RowKeys } from './row-keys.js';
import { RowWarnings } from './warnings/row-warnings.js';
import { WarningList } from './warnings/warning-list.js';

/** What is noticed about the rows of one import without refusing any of them. */
export class ImportRemarks {
  readonly ignored = new IgnoredColumns();
  readonly keys = new RowKeys();
  readonly warnings: RowWarnings;

  /** @param list receives the warnings about values */
  constructor(list: WarningList = new WarningList()) {
    this.warnings = new RowWarnings(list);
  }

  /** Records the current row as valid. @param keys its event, repeat instrument and instance */
  endRow(record: string, place: RowPlace, keys: readonly string[]): void {
    this.ignored.endRow();
    this.warnings.endRow(record, place, keys);
    this.keys.endRow(record, place);
  }

  /** Discards what was noticed about the current row, which will be read again or not sent. */
  dropRow(): void {
    this.ignored.dropRow();
    this.keys.dropRow();
    this.warnings.dropRow();
  }
}

/** Why an import cannot store a column. */
export type IgnoredReason = 'calculated' | 'file' | 'descriptive' | 'survey' | 'query';

/** A column that was not sent. */
export interface IgnoredColumn {
  readonly field: string;
  readonly reason: IgnoredReason;
  /** The number of its non-blank values. */
  readonly values: number;
}

/** Counts the values that are left out. Those of a row are added once the row is known to be valid. */
export class IgnoredColumns {
  readonly #counts = new Map<string, { readonly reason: IgnoredReason; values: number }>();
  readonly #ofRow: { values: number }[] = [];

  /** @returns the ignored columns that occurred, including those with only blank values */
  get columns(): readonly IgnoredColumn[] {
    return [...this.#counts].map(([field, { reason, values }]) => ({ field, reason, values }));
  }

  /** Adds a value of the current row. */
  add(field: string, reason: IgnoredReason, isBlank: boolean): void {
    let count = this.#counts.get(field);
    if (count === undefined) this.#counts.set(field, (count = { reason, values: 0 }));
    if (!isBlank) this.#ofRow.push(count);
  }

  /** Counts the values of the current row, which is valid. */
  endRow(): void {
    for (const count of this.#ofRow) count.values++;
    this.#ofRow.length = 0;
  }

  /** Discards the values of the current row, which will be read again or not sent. */
  dropRow(): void {
    this.#ofRow.length = 0;
  }
}
