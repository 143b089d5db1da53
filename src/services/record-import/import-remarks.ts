import { IgnoredColumns } from './ignored-columns.js';
import type { RowPlace } from './input-item.js';
import { RowKeys } from './row-keys.js';

/** What is noticed of the rows of one import and refuses none of them. */
export class ImportRemarks {
  readonly ignored = new IgnoredColumns();
  readonly keys = new RowKeys();

  /** The row under way is valid. */
  endRow(record: string, place: RowPlace): void {
    this.ignored.endRow();
    this.keys.endRow(record, place);
  }

  /** The row under way is read again, or nothing of it is sent. */
  dropRow(): void {
    this.ignored.dropRow();
    this.keys.dropRow();
  }

  /** Gives the memory back that it took. */
  release(): void {
    this.keys.release();
  }
}
