import { isUint8Array } from 'node:util/types';
import * as z from 'zod';
import { argument, options, strictObject, type Shape } from '../../errors/check-arguments.js';
import { isObject } from '../../errors/check-options.js';
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
  /** With `dryRun`: returns what the rows would change. */
  readonly changes?: boolean | undefined;
  /** `existing`: refuses rows of records that the project does not have; `new`: those of records that it has. */
  readonly only?: 'existing' | 'new' | undefined;
  /** Whether values outside the limits of their field are stored with a warning, or refused. `warn` by default. */
  readonly limits?: 'warn' | 'refuse' | undefined;
  /** Sends values that do not fit their field as they are, with a warning. */
  readonly keepMisfits?: boolean | undefined;
  /** Minimum length of the id of a new record, unless REDCap numbers the records; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
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
  /** What the rows would change, with `changes`. */
  readonly changes?: RowChanges;
}

/** What rows would change, compared by type with what is stored. Each record counts once. */
export interface RowChanges {
  readonly records: { readonly new: number; readonly changed: number; readonly unchanged: number };
  /** Values of records that exist. */
  readonly values: { readonly set: number; readonly changed: number; readonly erased: number };
  /** How many records would be in another data access group. */
  readonly groups: number;
  /** Columns that would erase more values than they set or change. */
  readonly erasing: readonly string[];
  /** Columns that were not compared, because the token may not read them. */
  readonly unreadable: readonly string[];
  /** New records whose id differs from that of a stored one only in case or leading zeros: the first hundred. */
  readonly lookalikes: {
    readonly count: number;
    readonly first: readonly { readonly record: string; readonly stored: string; readonly row: number }[];
  };
  /** The first thousand, in the order of the rows. */
  readonly first: readonly RowChange[];
}

/** A value that would be stored or erased, or with `new` a record that would be created. */
export interface RowChange {
  readonly record: string;
  readonly event: string;
  readonly instance: number | null;
  readonly field: string;
  readonly kind: 'new' | 'set' | 'changed' | 'erased';
  readonly old: string;
  readonly new: string;
  /** The number of the row, from 1. */
  readonly row: number;
}

/** A value that is likely a mistake. Never contains the value. */
export interface RowWarning {
  readonly record: string;
  readonly event: string;
  readonly instance: number | null;
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  /** The number of the row, from 1. */
  readonly row: number;
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

const CHECKED_IMPORT = {
  ...IMPORT,
  check: flag.optional(),
  dryRun: flag.optional(),
  changes: flag.optional(),
  only: oneOf('existing', 'new').optional(),
  limits: oneOf('warn', 'refuse').optional(),
  keepMisfits: flag.optional(),
  recordIdMinLength: integerFrom(1).optional(),
} satisfies Shape<CheckedImportOptions>;

const IMPORT_DATA = {
  ...IMPORT,
  format: FORMAT,
  csvDelimiter: FORM.csvDelimiter,
} satisfies Shape<ImportDataOptions>;

/** The arguments of the operations that import records. */
export const checkedImportOptions = options(CHECKED_IMPORT);
export const importDataOptions = argument('options', strictObject(IMPORT_DATA, 'an option'));

export const importData = argument(
  'data',
  z.custom<string | Uint8Array | Blob>(
    (data) => typeof data === 'string' || isUint8Array(data) || data instanceof Blob,
    'must be text, a Uint8Array or a Blob',
  ),
);

/** Rows of any columns, which are not copied: there may be 100,000 of them. Their cells are checked when they are written. */
export const importRows = <Row>() =>
  argument(
    'rows',
    z.custom<readonly Row[]>(Array.isArray, 'must be a list').superRefine((rows, context) => {
      const index = rows.findIndex((row) => !isObject(row));
      if (index >= 0) context.addIssue({ code: 'custom', path: [index], message: 'must be an object' });
    }),
  );
