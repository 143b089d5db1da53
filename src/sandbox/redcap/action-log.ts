/** One thing that somebody did. */
export interface LogEntry {
  /** `YYYY-MM-DD HH:MM:SS`; the API gives minutes. */
  readonly at: string;
  readonly username: string;
  readonly kind: LogKind;
  /** What was done, as the API names it: `Update record (API) 5`. */
  readonly action: string;
  readonly details: string;
  /** The record that it was done to; empty for none. */
  readonly record: string;
  /** The unique name of the record's data access group; empty for none. */
  readonly group: string;
}

/** What `logtype` selects. @see docs/protocol/redcap.md 13.2 (client) */
export type LogKind =
  'export' | 'manage' | 'user' | 'record_add' | 'record_edit' | 'record_delete' | 'lock_record' | 'page_view';

/** Entries that are kept; older ones are dropped, so that a sandbox that runs for weeks stays small. */
const MOST_ENTRIES = 100_000;

/** What happened in a project, in memory. */
export class ActionLog {
  #entries: LogEntry[] = [];

  /** @param now `YYYY-MM-DD HH:MM:SS` in the server's time */
  constructor(private readonly now: () => string) {}

  add(entry: Omit<LogEntry, 'at' | 'group' | 'record'> & Partial<LogEntry>): void {
    this.#entries.push({ at: this.now(), record: '', group: '', ...entry });
    if (this.#entries.length > MOST_ENTRIES * 1.1) this.#entries = this.#entries.slice(-MOST_ENTRIES);
  }

  /** The newest first. */
  newestFirst(): readonly LogEntry[] {
    return this.#entries.toReversed();
  }

  /** Drops what is known of a record: `delete_logging`. */
  forget(record: string): void {
    this.#entries = this.#entries.filter((entry) => entry.record !== record);
  }
}
