import type { CallOptions, PartOptions } from './call-options.js';
import type { CsvDelimiter } from './csv-delimiter.js';

/** A row to import. Numbers and booleans are sent the way REDCap writes them (`true` as `1`). */
export type ImportRow = Readonly<Record<string, string | number | boolean | null>>;

/** How an import treats blanks, dates and record names, and what it returns. */
export interface ImportRecordsOptions extends CallOptions {
  readonly type?: 'flat' | 'eav' | undefined;
  /** `normal`: blank values are ignored; `overwrite`: blank values erase the stored ones. */
  readonly overwriteBehavior?: 'normal' | 'overwrite' | undefined;
  /** REDCap assigns the record names; the given ones only group rows. Such an import is never retried. */
  readonly forceAutoNumber?: boolean | undefined;
  readonly dateFormat?: 'YMD' | 'MDY' | 'DMY' | undefined;
  /** What the import returns: the number of records, or their ids. `auto_ids` needs `forceAutoNumber`. */
  readonly returnContent?: 'count' | 'ids' | 'auto_ids' | undefined;
  /** REDCap answers immediately and imports later. The result is not reported. */
  readonly backgroundProcess?: boolean | undefined;
  /**
   * The caller guarantees that storing these rows twice has the same effect as storing them once: every record id and
   * repeat instance is given, and none is `new`. Only then is the import retried after a failure. With
   * `forceAutoNumber` or `backgroundProcess` it is never retried. If the import fails, `isInDoubt` also covers the
   * attempts before the last.
   */
  readonly isIdempotent?: boolean | undefined;
}

/** The options of an import of text in REDCap's format. */
export interface ImportDataOptions extends ImportRecordsOptions, PartOptions {
  /** The format of the text. */
  readonly format: 'json' | 'csv';
  readonly csvDelimiter?: CsvDelimiter | undefined;
}

/** The result of an import. `count` counts records, not rows. */
export interface ImportResult {
  readonly count: number;
  /** The record ids with `returnContent: 'ids'`, the newly assigned ones with `auto_ids`. */
  readonly ids?: readonly string[];
  /** REDCap imports later (`backgroundProcess`), so that `count` is 0. */
  readonly isQueued?: true;
}
