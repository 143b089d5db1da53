import type { FindingResponse } from './quality-controller.js';

/** The result of an import. */
export interface ImportResponse {
  data: {
    /**
     * The number of records stored or, with `dryRun`, the number of valid records. A record with several rows counts
     * once.
     * @isInt
     */
    count: number;
    /** The ids of the records, if requested. */
    ids?: string[];
    /**
     * The number of calls to REDCap; with `dryRun`, the number it would take.
     * @isInt
     */
    batches: number;
    /** True if nothing was sent, because the request was a dry run. */
    dryRun?: boolean;
    /** Columns that were ignored because no import can store them. */
    ignored?: IgnoredColumnResponse[];
    /** Rows for the same record, event and instance as an earlier row of the body. The later value wins. */
    repeated?: RepeatedRowsResponse;
    /**
     * What was not checked, because the token of the service may not read what that needs: whether the places of the rows
     * (events, instruments, repeat instances) exist, or their data access groups. Absent if all was.
     */
    notChecked?: ('places' | 'groups')[];
    /**
     * Data that is likely a mistake but is stored anyway: values outside the limits of their field, and misfits that were
     * kept. With `dryRun`, for callers who also have `records:read`, also hidden values and empty required fields. Absent
     * if there is none.
     */
    warnings?: ImportWarningsResponse;
    /** With `changes`: what the rows changed or, with `dryRun`, would change. */
    changes?: ImportChangesResponse;
    /** With `verify`: what was there when the values were read back. */
    verified?: VerificationResponse;
    /** With `onConflict=theirs`: changes that were not stored, because the value is not the one that was read. */
    conflicts?: ImportConflictsResponse;
  };
}

/** Changes that were not stored: somebody has changed the values since they were read. */
export interface ImportConflictsResponse {
  /** @isInt */
  count: number;
  /** The first of them, at most 100; `old` is what is stored now. */
  first: ImportChangeResponse[];
}

/** What REDCap had of the values that were sent, compared by type. A late replica is given a few seconds. */
export interface VerificationResponse {
  /**
   * Values that are stored, or erased as sent.
   * @isInt
   */
  stored: number;
  /**
   * Values in whose place there is another one.
   * @isInt
   */
  differs: number;
  /**
   * Values in whose place there is nothing.
   * @isInt
   */
  absent: number;
  /** Columns that may not be read, so that their values are not counted. A replayed response has none. */
  unreadable: string[];
  /** The values that are not stored, at most 1000, in the order of the body. A replayed response has none. */
  first: UnstoredValueResponse[];
}

/** A value that was sent and is not stored. */
export interface UnstoredValueResponse extends RepeatedRowResponse {
  /** Empty in a classic project, and for what concerns the whole record. */
  event: string;
  /** @isInt */
  instance: number | null;
  field: string;
  kind: 'differs' | 'absent';
  sent: string;
  stored: string;
}

/** What an import changes, compared by type with what is stored: `1.50` is `1.5`. */
export interface ImportChangesResponse {
  /** Each record counts once. */
  records: {
    /** @isInt */
    new: number;
    /** @isInt */
    changed: number;
    /** @isInt */
    unchanged: number;
  };
  /** Values of records that exist, with the groups of records. */
  values: {
    /** @isInt */
    set: number;
    /** @isInt */
    changed: number;
    /** @isInt */
    erased: number;
  };
  /**
   * How many records change their data access group.
   * @isInt
   */
  groups: number;
  /** Columns that erase more values than they set or change. */
  erasing: string[];
  /** Columns that were not compared, because their stored values may not be read. */
  unreadable: string[];
  /** New records whose id differs from that of a stored record only in case or leading zeros. */
  lookalikes: {
    /** @isInt */
    count: number;
    /** The first of them, at most 100. */
    first: LookalikeResponse[];
  };
  /** The changes, at most 1000, in the order of the body. */
  first: ImportChangeResponse[];
}

/** A new record that is probably meant to be a stored one. */
export interface LookalikeResponse extends RepeatedRowResponse {
  /** The id of the stored record. */
  stored: string;
}

/** A value that is stored or erased, or a record that is created. */
export interface ImportChangeResponse extends RepeatedRowResponse {
  /** Empty in a classic project, and for what concerns the whole record. */
  event: string;
  /** @isInt */
  instance: number | null;
  field: string;
  /** `new`: the record is created; its values are not listed. */
  kind: 'new' | 'set' | 'changed' | 'erased';
  /** The stored value. */
  old: string;
  /** The value after the import. */
  new: string;
}

/** The rule that a warning is about. */
export type ImportWarningRule =
  | 'hidden_value'
  | 'required_empty'
  | 'other_arm'
  | 'out_of_range'
  | 'invalid_value'
  | 'not_checked'
  | 'blanks_around'
  | 'spreadsheet_damage'
  | 'unnumbered_id';

/** What an import accepts although it is likely a mistake. */
export interface ImportWarningsResponse {
  /** @isInt */
  count: number;
  rules: {
    /** @isInt */
    hidden_value: number;
    /** @isInt */
    required_empty: number;
    /**
     * Rows that begin another arm for a stored record.
     * @isInt
     */
    other_arm: number;
    /** @isInt */
    out_of_range: number;
    /** @isInt */
    invalid_value: number;
    /**
     * Fields with a limit that is not evaluated, such as `today`; left out if there is none.
     * @isInt
     */
    not_checked?: number;
    /**
     * Values of which blanks around them were left out; left out if there is none.
     * @isInt
     */
    blanks_around?: number;
    /**
     * Numbers that a spreadsheet has probably changed; left out if there is none.
     * @isInt
     */
    spreadsheet_damage?: number;
    /**
     * New ids that are no numbers, where REDCap numbers the records; left out if there is none.
     * @isInt
     */
    unnumbered_id?: number;
  };
  /** The first findings, at most 100. A replayed response has none. */
  first: ImportWarningResponse[];
}

/** A value that is likely a mistake, a required field that stays empty, or a row that begins another arm. */
export interface ImportWarningResponse extends FindingResponse {
  rule: ImportWarningRule;
  /**
   * The number of the row in the body, from 1.
   * @isInt
   */
  row: number;
  /**
   * The line of the body on which the row begins, from 1.
   * @isInt
   */
  line: number;
}

/** A column that was ignored because REDCap computes it or does not accept it in imports. */
export interface IgnoredColumnResponse {
  /** @example "consent_form" */
  field: string;
  /** @example "file" */
  reason: 'calculated' | 'file' | 'descriptive' | 'survey' | 'query';
  /**
   * The number of non-blank values in the column.
   * @isInt
   * @example 99
   */
  values: number;
}

/** Rows that repeat an earlier row. */
export interface RepeatedRowsResponse {
  /**
   * The number of such rows among the first million rows.
   * @isInt
   */
  count: number;
  /** The first of them, at most 100. A replayed response has none. */
  rows?: RepeatedRowResponse[];
}

/** A row for the same record, event and instance as an earlier one. */
export interface RepeatedRowResponse {
  record: string;
  /** @isInt */
  row: number;
  /** @isInt */
  line: number;
}
