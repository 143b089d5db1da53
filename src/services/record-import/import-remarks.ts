import { IgnoredColumns } from './ignored-columns.js';
import type { RowPlace } from './input-item.js';
import { RowKeys } from './row-keys.js';

/** What is noticed about the rows of one import without refusing any of them. */
export class ImportRemarks {
  readonly ignored = new IgnoredColumns();
  readonly keys = new RowKeys();

  /** Records the current row as valid. */
  endRow(record: string, place: RowPlace): void {
    this.ignored.endRow();
    this.keys.endRow(record, place);
  }

  /** Discards what was noticed about the current row, which will be read again or not sent. */
  dropRow(): void {
    this.ignored.dropRow();
    this.keys.dropRow();
  }

  /** Releases the memory. */
  release(): void {
    this.keys.release();
  }
}
