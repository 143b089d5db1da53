import type { RowPlace } from './input-item.js';

/** One cell that an import would change, or a record that it would create. */
export interface ImportChange extends RowPlace {
  readonly record: string;
  /** Empty in a classic project, and for what concerns the whole record. */
  readonly event: string;
  /** The repeat instance; null if nothing repeats. */
  readonly instance: number | null;
  /** The column; for a new record that of its id. */
  readonly field: string;
  /** `new`: the record would be created; its values are not listed. */
  readonly kind: 'new' | 'set' | 'changed' | 'erased';
  /** The stored value; empty if there is none. */
  readonly old: string;
  /** The value after the import; empty if it is erased. */
  readonly new: string;
}

/** What an import would change, compared by type with what is stored. */
export interface ImportChanges {
  /** Each record counts once. */
  readonly records: { readonly new: number; readonly changed: number; readonly unchanged: number };
  /** Values of records that exist: newly set, changed and erased. Groups of records are among them. */
  readonly values: { readonly set: number; readonly changed: number; readonly erased: number };
  /** How many records would be in another data access group. */
  readonly groups: number;
  /** Columns that would erase more values than they set or change. */
  readonly erasing: readonly string[];
  /** Columns whose stored values the caller may not read, so that they are not compared. */
  readonly unreadable: readonly string[];
  /** New records whose ids differ from that of a stored record only in case or leading zeros: the first hundred. */
  readonly lookalikes: { readonly count: number; readonly first: readonly Lookalike[] };
  /** The changes: the first thousand, in the order of the input. */
  readonly first: readonly ImportChange[];
}

/** A new record that is probably meant to be a stored one. */
export interface Lookalike extends RowPlace {
  readonly record: string;
  /** The id of the stored record. */
  readonly stored: string;
}
