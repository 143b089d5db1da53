import { isUint8Array } from 'node:util/types';
import * as z from 'zod';
import { argument, strictObject, type Shape, isObject } from '../../domain/identifiers/check-options.js';
import { CALL, type CallOptions, type PartOptions } from './call-options.js';
import { flag, integerFrom, oneOf } from './contents/argument-values.js';
import type { CsvDelimiter } from './csv-delimiter.js';
import { FORM, FORMAT } from './record-export-options.js';

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

/** How rows are checked before they are sent. */
export interface CheckedImportOptions extends ImportRecordsOptions {
  /**
   * Whether the rows are checked against the data dictionary, which is cached, as imports of the service are. Unchecked
   * rows are sent as they are, dates in the order of `dateFormat`. True by default.
   */
  readonly check?: boolean | undefined;
  /** Checks the rows, compares them with what is stored, and sends nothing. */
  readonly dryRun?: boolean | undefined;
  /**
   * Compares the rows with what is stored, sends only the cells that change, and returns what changed; with `dryRun`,
   * what would change.
   */
  readonly changes?: boolean | undefined;
  /**
   * The rows of these records as they were read, with `changes`: their raw values, with at least the columns to be
   * stored. A value that is another one by now is a conflict, see `onConflict`.
   */
  readonly seen?: readonly ImportRow[] | undefined;
  /**
   * With `seen`: `fields` stores nothing if there is a conflict, and `theirs` all but the conflicts. Changes of other
   * fields never are one. `fields` by default.
   */
  readonly onConflict?: 'fields' | 'theirs' | undefined;
  /** Reads the values back after they were sent, and returns what of them is stored. */
  readonly verify?: boolean | undefined;
  /** `existing`: refuses rows of records that the project does not have; `new`: those of records that it has. */
  readonly only?: 'existing' | 'new' | undefined;
  /**
   * What happens to values outside the limits of their field. `warn`: they are stored, as in REDCap, and reported in
   * `warnings`; `refuse`: they are problems. `warn` by default.
   */
  readonly limits?: 'warn' | 'refuse' | undefined;
  /**
   * Sends values that do not fit their field as they are, and reports them in `warnings`. REDCap itself refuses most of
   * them. False by default.
   */
  readonly keepMisfits?: boolean | undefined;
  /**
   * `label`: values are labels, as in an export with `rawOrLabel: 'label'`, and become codes. Also events, instruments
   * and groups. A label that several choices have is refused. `raw` by default.
   */
  readonly rawOrLabel?: 'raw' | 'label' | undefined;
  /** The century of years of two digits, which are refused without it. */
  readonly century?: 1900 | 2000 | undefined;
  /** What separates decimals in numbers, whose thousands may be separated. By default they must be as REDCap stores them. */
  readonly decimalCharacter?: '.' | ',' | undefined;
  /** Minimum length of the id of a new record, unless REDCap numbers the records; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
}

/** A text to import, as it is or in UTF-8. */
export type ImportText = string | Uint8Array | Blob;

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

/** The result of an import whose rows were checked. */
export interface CheckedImportResult extends ImportResult {
  /** Set if nothing was sent; `count` is then the number of valid records. */
  readonly dryRun?: true;
  /** Columns that were not sent because no import can store them. Absent when there are none. */
  readonly ignored?: readonly { readonly field: string; readonly reason: string; readonly values: number }[];
  /** Rows with the same record, event and instance as an earlier row. Absent when there are none. */
  readonly repeated?: { readonly count: number };
  /** Values that are likely mistakes but are stored. Absent when there are none. */
  readonly warnings?: {
    readonly count: number;
    readonly rules: Readonly<Record<string, number>>;
    /** The first hundred. */
    readonly first: readonly RowWarning[];
  };
  /** What the rows changed or, with `dryRun`, would change, with `changes`. It has values of records. */
  readonly changes?: ImportChanges;
  /** What of the sent values was there when they were read back, with `verify`. It has values of records. */
  readonly verified?: Verification;
  /** Changes that were not stored, because somebody changed the value since it was seen. Absent when there are none. */
  readonly conflicts?: ImportConflicts;
}

/** Changes that were not stored: the values are not what they were when somebody saw them. */
export interface ImportConflicts {
  readonly count: number;
  /** The first hundred; `old` is what is stored now. */
  readonly first: readonly ImportChange[];
}

/** The place of a row in the input. */
export interface RowPlace {
  /** The number of the row, from 1. The header of a CSV does not count. */
  readonly row: number;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

/** A cell of a record, and the row of the input that is about it. */
export interface ImportCell extends RowPlace {
  readonly record: string;
  /** Empty in a classic project, and for what concerns the whole record. */
  readonly event: string;
  /** The repeat instance; null if nothing repeats. */
  readonly instance: number | null;
  /** The column; for a new record that of its id. */
  readonly field: string;
}

/** A cell that an import changes, or a record that it creates. */
export interface ImportChange extends ImportCell {
  /** `new`: the record is created; its values are not listed. */
  readonly kind: 'new' | 'set' | 'changed' | 'erased';
  /** The stored value; empty if there is none. */
  readonly old: string;
  /** The value after the import; blank if it is erased. */
  readonly new: string;
}

/** What an import changes, compared by type with what is stored. */
export interface ImportChanges {
  /** Each record counts once. */
  readonly records: { readonly new: number; readonly changed: number; readonly unchanged: number };
  /** Values of records that exist: newly set, changed and erased. Groups of records are among them. */
  readonly values: { readonly set: number; readonly changed: number; readonly erased: number };
  /** How many records change their data access group. */
  readonly groups: number;
  /** Columns that erase more values than they set or change. */
  readonly erasing: readonly string[];
  /** Columns whose stored values the caller may not read, so that they are not compared. */
  readonly unreadable: readonly string[];
  /**
   * With `dryRun`: new records whose ids differ from that of a stored record only in case or leading zeros: the first
   * hundred.
   */
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

/** What REDCap had of the values that were sent, compared by type when they were read back. */
export interface Verification {
  /** Values that are stored, an erased one included. */
  readonly stored: number;
  /** Values in whose place there is another one. */
  readonly differs: number;
  /** Values in whose place there is nothing. */
  readonly absent: number;
  /** Columns that the caller may not read, so that their values are not counted. */
  readonly unreadable: readonly string[];
  /** The values that are not stored: the first thousand, in the order of the input. */
  readonly first: readonly UnstoredValue[];
}

/** A value that was sent and is not stored: REDCap has another one in its place (`differs`), or none (`absent`). */
export interface UnstoredValue extends ImportCell {
  readonly kind: 'differs' | 'absent';
  readonly sent: string;
  readonly stored: string;
}

/** A value that is likely a mistake. Never contains the value. */
export interface RowWarning extends Omit<ImportCell, 'line'> {
  readonly rule: string;
  readonly message: string;
}

const IMPORT = {
  ...CALL,
  type: oneOf('flat', 'eav').optional(),
  overwriteBehavior: oneOf('normal', 'overwrite').optional(),
  forceAutoNumber: flag.optional(),
  dateFormat: oneOf('YMD', 'MDY', 'DMY').optional(),
  returnContent: oneOf('count', 'ids', 'auto_ids').optional(),
  backgroundProcess: flag.optional(),
  isIdempotent: flag.optional(),
} satisfies Shape<ImportRecordsOptions>;

const isListOfRows = (value: unknown): boolean => Array.isArray(value) && value.every(isObject);

/** What only a check can follow. */
const OF_THE_CHECK = {
  dryRun: flag.optional(),
  changes: flag.optional(),
  seen: z.custom<readonly ImportRow[]>(isListOfRows, 'must be a list of rows').optional(),
  onConflict: oneOf('fields', 'theirs').optional(),
  verify: flag.optional(),
  only: oneOf('existing', 'new').optional(),
  limits: oneOf('warn', 'refuse').optional(),
  keepMisfits: flag.optional(),
  rawOrLabel: oneOf('raw', 'label').optional(),
  century: z.literal([1900, 2000], 'must be 1900 or 2000').optional(),
  decimalCharacter: oneOf('.', ',').optional(),
  recordIdMinLength: integerFrom(1).optional(),
} satisfies Shape<Omit<CheckedImportOptions, keyof ImportRecordsOptions | 'check'>>;

const CHECKED_IMPORT = {
  ...IMPORT,
  check: flag.optional(),
  ...OF_THE_CHECK,
} satisfies Shape<CheckedImportOptions>;

const IMPORT_DATA = {
  ...IMPORT,
  format: FORMAT,
  csvDelimiter: FORM.csvDelimiter,
} satisfies Shape<ImportDataOptions>;

/** The arguments of the operations that import records. */
export const checkedImportOptions = argument(
  'options',
  strictObject(CHECKED_IMPORT, 'an option')
    .superRefine((given, context) => {
      if (given.check !== false) return;
      for (const name of Object.keys(OF_THE_CHECK) as (keyof typeof OF_THE_CHECK)[]) {
        const isGiven = given[name] !== undefined && given[name] !== false;
        if (isGiven) context.addIssue({ code: 'custom', path: [name], message: 'needs check: true' });
      }
    })
    .optional(),
);
export const importDataOptions = argument('options', strictObject(IMPORT_DATA, 'an option'));

export const importData = argument(
  'data',
  z.custom<ImportText>(
    (data) => typeof data === 'string' || isUint8Array(data) || data instanceof Blob,
    'must be text, a Uint8Array or a Blob',
  ),
);

export const importDataToCheck = argument(
  'data',
  z.custom<() => ImportText | Promise<ImportText>>(
    (data) => typeof data === 'function',
    'must be a function',
  ),
);

/** Rows of any columns, which are not copied: there may be 100,000 of them. Their cells are checked when they are written. */
export const rowsToImport = <Row>() =>
  argument(
    'rows',
    z.custom<readonly Row[]>(Array.isArray, 'must be a list').superRefine((rows, context) => {
      const index = rows.findIndex((row) => !isObject(row));
      if (index >= 0) context.addIssue({ code: 'custom', path: [index], message: 'must be an object' });
    }),
  );
