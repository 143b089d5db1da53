/** One logged action of a user. */
export interface LogEntry {
  /** `YYYY-MM-DD HH:MM:SS`; the API returns it without the seconds. */
  readonly at: string;
  readonly username: string;
  readonly kind: LogKind;
  /** The name of the action in the API: `Update record (API) 5`. */
  readonly action: string;
  readonly details: string;
  /** The record that the action changed; empty if there is none. */
  readonly record: string;
  /** The unique name of the record's data access group; empty if there is none. */
  readonly group: string;
}

/** The kinds of entry that `logtype` selects. @see docs/protocol/redcap.md 13.2 (client) */
export type LogKind =
  | 'export'
  | 'manage'
  | 'user'
  | 'record_add'
  | 'record_edit'
  | 'record_delete'
  | 'lock_record'
  | 'page_view'
  /** Uploads, downloads and deletions of files, which no `logtype` selects. @see docs/protocol/redcap.md 20 (client) */
  | 'document';

/** Older entries are dropped, so that a long-running sandbox stays small. */
const MAX_ENTRIES = 100_000;

/** The log of a project, in memory. */
export class ActionLog {
  #entries: LogEntry[] = [];

  /** @param now `YYYY-MM-DD HH:MM:SS` in the server's time */
  constructor(private readonly now: () => string) {}

  /** Adds an entry, by default of now and about no record. */
  add(entry: Omit<LogEntry, 'at' | 'group' | 'record'> & Partial<LogEntry>): void {
    this.#entries.push({ at: this.now(), record: '', group: '', ...entry });
    if (this.#entries.length > MAX_ENTRIES * 1.1) this.#entries = this.#entries.slice(-MAX_ENTRIES);
  }

  /** Returns all entries, newest first. */
  newestFirst(): readonly LogEntry[] {
    return this.#entries.toReversed();
  }

  /** Changes the group of all entries, when groups are renamed or deleted. */
  regroup(nameAfter: (group: string) => string): void {
    this.#entries = this.#entries.map((entry) => ({ ...entry, group: nameAfter(entry.group) }));
  }

  /** Removes all entries about a record: `delete_logging`. */
  forget(record: string): void {
    this.#entries = this.#entries.filter((entry) => entry.record !== record);
  }
}
