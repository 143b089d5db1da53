import type { RowRange } from '../../domain/errors/upstream-errors.js';

/** Keeps what an import replaces, so that it can be undone. */
export interface ImportJournal {
  /** Keeps what a call is about to change; when it resolves, that survives the end of the process. */
  begin(step: JournalStep): Promise<void>;
  /** Notes that these rows of the input need not be sent again: REDCap has confirmed them, or has their values already. */
  confirm(rows: RowRange): Promise<void>;
  /**
   * Called once if the caller may not read what would be kept. The import goes on without a journal then.
   *
   * @throws the error, if it must not
   */
  giveUp(error: unknown): void;
}

/** What one call changes. */
export interface JournalStep extends RowRange {
  readonly records: readonly JournalRecord[];
}

/** What one call changes of a record. */
export interface JournalRecord {
  readonly id: string;
  /** Whether the call creates the record. */
  readonly isNew: boolean;
  /** The data access group before and after, if it changes. */
  readonly group?: readonly [old: string, ...now: readonly string[]] | undefined;
  readonly rows: readonly JournalRow[];
  /** Columns that the caller may not read: their earlier values are not known. */
  readonly unreadable: readonly string[];
}

/** The cells that a call changes on one row of a record. */
export interface JournalRow {
  readonly event: string;
  /** The repeating instrument; empty for rows of an event. */
  readonly repeatInstrument: string;
  /** 0 if nothing repeats. */
  readonly instance: number;
  /** Whether REDCap chooses the instance, which then is this one or a later one. */
  readonly isNewInstance: boolean;
  /** The forms of the row that had no status before. */
  readonly begun: readonly string[];
  readonly cells: readonly JournalCell[];
}

/** A value before and after. Where several calls have changed it, it may be as any of them has left it. */
export type JournalCell = readonly [field: string, old: string, ...now: readonly string[]];
