import { IgnoredColumns } from './ignored-columns.js';
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

  /** Releases the memory. */
  release(): void {
    this.keys.release();
  }
}
