/** How an import is read and stored. */
export interface ImportRequest {
  /** The form of the body. */
  readonly format: 'json' | 'ndjson' | 'csv';
  /** Checks everything and sends nothing. */
  readonly dryRun?: boolean | undefined;
  /** `normal`: blank values are ignored; `overwrite`: blank values erase. */
  readonly overwriteBehavior?: 'normal' | 'overwrite' | undefined;
  /** REDCap names the records; the ids given only group rows. Such an import is never repeated on its own, and has at most a million records. */
  readonly forceAutoNumber?: boolean | undefined;
  /** How dates are written; `YMD` by default. */
  readonly dateFormat?: 'YMD' | 'MDY' | 'DMY' | undefined;
  /** What is answered: the number of records, or, of at most a million, their ids too. `auto_ids` needs `forceAutoNumber`. */
  readonly returnContent?: 'count' | 'ids' | 'auto_ids' | undefined;
  /** `flat`: a row a record; `eav`: a row a value. */
  readonly type?: 'flat' | 'eav' | undefined;
  /** REDCap imports later, and reports by email. */
  readonly backgroundProcess?: boolean | undefined;
  /** Whether a JSON body may be a bare list of records, too; `false` by default. */
  readonly isListAllowed?: boolean | undefined;
  /** What stands between the cells of a CSV; the comma by default. */
  readonly csvDelimiter?: ',' | 'tab' | ';' | '|' | '^' | undefined;
}

/** What an import stored. */
export interface ImportOutcome {
  /**
   * Records stored, or, with `dryRun`, records that are valid. A record counts once, wherever its rows stand; behind the
   * first million records, once for each call that has rows of it.
   */
  readonly count: number;
  /** With `returnContent` `ids` or `auto_ids`. Absent when the answer is the repetition of an earlier one. */
  readonly ids?: readonly string[];
  /** Calls to REDCap; with `dryRun` those it would take. */
  readonly batches: number;
  readonly dryRun?: true;
}

/** The rules of imports. */
export interface ImportLimits {
  /** The least length of a record id; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
  /** Rows of one call to REDCap; 1000 by default. */
  readonly chunkRows?: number | undefined;
  /** Bytes of one call to REDCap; 4 MiB by default. The largest row, too. */
  readonly chunkBytes?: number | undefined;
  /** Bytes of one import; 1 GiB by default. */
  readonly limitBytes?: number | undefined;
}

export const DEFAULT_CHUNK_ROWS = 1000;
export const DEFAULT_CHUNK_BYTES = 4 * 1024 * 1024;
export const DEFAULT_LIMIT_BYTES = 1024 * 1024 * 1024;
