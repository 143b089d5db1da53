import { isUint8Array } from 'node:util/types';
import * as z from 'zod';
import {
  argument,
  strictObject,
  type Shape,
  isObject,
  type OrUndefined,
} from '../../domain/identifiers/check-options.js';
import { CALL, type CallOptions, type PartOptions } from './call-options.js';
import { flag, integerFrom, oneOf } from './contents/argument-values.js';
import type { CsvDelimiter } from './csv-delimiter.js';
import { FORM, FORMAT } from './record-export-options.js';

/** A row to import. Numbers and booleans are sent the way REDCap writes them (`true` as `1`). */
export type ImportRow = Readonly<Record<string, string | number | boolean | null>>;

/** How an import stores rows, and what it returns. */
export interface StoringForm {
  /** `normal`: blank values change nothing; `overwrite`: blank values erase. `normal` by default. */
  readonly overwriteBehavior?: 'normal' | 'overwrite';
  /** Lets REDCap assign the record ids. The ids sent only group rows. */
  readonly forceAutoNumber?: boolean;
  /** The order of day, month and year in dates; `YMD` by default, and accepted with every order. */
  readonly dateFormat?: 'YMD' | 'MDY' | 'DMY';
  /** What to return: the number of records, or also their ids. `auto_ids` requires `forceAutoNumber`. */
  readonly returnContent?: 'count' | 'ids' | 'auto_ids';
  /** `flat`: one row per record; `eav`: one row per value. `flat` by default. */
  readonly type?: 'flat' | 'eav';
  /** Lets REDCap import later and report by email to the user of the API token. */
  readonly backgroundProcess?: boolean;
}

/** How an import checks rows, and what it compares them with. */
export interface CheckForm {
  /** Checks everything without sending anything to REDCap. */
  readonly dryRun?: boolean;
  /**
   * Compares the rows with what is stored, sends only the values that change, and returns them in `changes`, with the
   * old and the new values; with `dryRun` nothing is sent. Needs `records:read`.
   */
  readonly changes?: boolean;
  /**
   * Reads the values back after they were sent, and returns in `verified` how many are stored, and which are not. Needs
   * `records:read`.
   */
  readonly verify?: boolean;
  /** `existing`: refuses rows of records that the project does not have; `new`: rows of records that it has. */
  readonly only?: 'existing' | 'new';
  /** The century of years of two digits, which are refused without it. */
  readonly century?: 1900 | 2000;
  /**
   * What separates decimals in the numbers of the body. Thousands may be separated by the other character, blanks or
   * apostrophes. By default numbers must be as REDCap stores them.
   */
  readonly decimalCharacter?: '.' | ',';
  /**
   * What happens to values outside the limits of their field. `warn`: they are stored, as in REDCap, and listed in
   * `warnings`; `refuse`: they are errors. `warn` by default.
   */
  readonly limits?: 'warn' | 'refuse';
  /**
   * Sends values that do not fit their field as they are, and lists them in `warnings`. REDCap itself refuses most of
   * them.
   */
  readonly keepMisfits?: boolean;
  /**
   * `label`: values are labels, as in an export with `rawOrLabel=label`, and become codes: choices, boxes (`Checked` and
   * `Unchecked`, or the label of the choice), form status, missing data codes, events, repeating instruments, data access
   * groups. A label that several choices have, and a code that is no label, are errors. `raw` by default.
   */
  readonly rawOrLabel?: 'raw' | 'label';
}

/** Options of an import. One that REDCap numbers or makes later is never retried. */
export interface ImportRecordsOptions extends OrUndefined<StoringForm>, CallOptions {
  /**
   * The caller guarantees that storing these rows twice has the same effect as storing them once: every record id and
   * repeat instance is given, and none is `new`. Only then is the import retried after a failure. With
   * `forceAutoNumber` or `backgroundProcess` it is never retried. If the import fails, `isInDoubt` also covers the
   * attempts before the last.
   */
  readonly isIdempotent?: boolean | undefined;
}

/** How rows are checked before they are sent. */
export interface CheckedImportOptions extends ImportRecordsOptions, OrUndefined<CheckForm> {
  /**
   * Whether the rows are checked against the data dictionary, which is cached, as imports of the service are. Unchecked
   * rows are sent as they are, dates in the order of `dateFormat`. True by default.
   */
  readonly check?: boolean | undefined;
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

/** What a comparison with the stored records found. */
export interface ImportComparison {
  /** True if nothing was sent, because the request was a dry run. */
  readonly dryRun?: boolean;
  /** With `changes`: what the rows changed or, with `dryRun`, would change. */
  readonly changes?: ImportChanges;
  /** With `verify`: what was there when the values were read back. */
  readonly verified?: Verification;
  /** With `onConflict=theirs`: changes that were not stored, because the value is not the one that was read. */
  readonly conflicts?: ImportConflicts;
}

/** The result of an import whose rows were checked. With `dryRun`, `count` is the number of valid records. */
export interface CheckedImportResult extends ImportResult, ImportComparison {
  /** Columns that were not sent because no import can store them. Absent when there are none. */
  readonly ignored?: readonly IgnoredColumn[];
  /** Rows with the same record, event and instance as an earlier row. Absent when there are none. */
  readonly repeated?: { readonly count: number };
  /** Values that are likely mistakes but are stored. Absent when there are none. */
  readonly warnings?: {
    readonly count: number;
    readonly rules: Readonly<Record<string, number>>;
    /** The first hundred. */
    readonly first: readonly RowWarning[];
  };
}

/** A column that was ignored because REDCap computes it or does not accept it in imports. */
export interface IgnoredColumn {
  /** @example "consent_form" */
  readonly field: string;
  /** @example "file" */
  readonly reason: 'calculated' | 'file' | 'descriptive' | 'survey' | 'query';
  /**
   * The number of non-blank values in the column.
   * @isInt
   * @example 99
   */
  readonly values: number;
}

/** Changes that were not stored: somebody has changed the values since they were read. */
export interface ImportConflicts {
  /** @isInt */
  readonly count: number;
  /** The first of them, at most 100; `old` is what is stored now. */
  readonly first: readonly ImportChange[];
}

/** The place of a row in the input, from 1: its number, without the header of a CSV, and the line on which it begins. */
export interface RowPlace {
  /** @isInt */
  readonly row: number;
  /** @isInt */
  readonly line: number;
}

/** A row for the same record, event and instance as an earlier one. */
export interface RepeatedRow extends RowPlace {
  readonly record: string;
}

/** A cell of a record, and the row of the input that is about it. */
export interface ImportCell extends RepeatedRow {
  /** Empty in a classic project, and for what concerns the whole record. */
  readonly event: string;
  /** @isInt */
  readonly instance: number | null;
  readonly field: string;
}

/** A value that is stored or erased, or a record that is created. */
export interface ImportChange extends ImportCell {
  /** `new`: the record is created; its values are not listed. */
  readonly kind: 'new' | 'set' | 'changed' | 'erased';
  /** The stored value. */
  readonly old: string;
  /** The value after the import. */
  readonly new: string;
}

/** What an import changes, compared by type with what is stored: `1.50` is `1.5`. */
export interface ImportChanges {
  /** Each record counts once. */
  readonly records: {
    /** @isInt */
    readonly new: number;
    /** @isInt */
    readonly changed: number;
    /** @isInt */
    readonly unchanged: number;
  };
  /** Values of records that exist, with the groups of records. */
  readonly values: {
    /** @isInt */
    readonly set: number;
    /** @isInt */
    readonly changed: number;
    /** @isInt */
    readonly erased: number;
  };
  /**
   * How many records change their data access group.
   * @isInt
   */
  readonly dags: number;
  /** Columns that erase more values than they set or change. */
  readonly erasing: readonly string[];
  /** Columns that were not compared, because their stored values may not be read. */
  readonly unreadable: readonly string[];
  /** New records whose id differs from that of a stored record only in case or leading zeros. */
  readonly lookalikes: {
    /** @isInt */
    readonly count: number;
    /** The first of them, at most 100. */
    readonly first: readonly Lookalike[];
  };
  /** The changes, at most 1000, in the order of the body. */
  readonly first: readonly ImportChange[];
}

/** A new record that is probably meant to be a stored one. */
export interface Lookalike extends RepeatedRow {
  /** The id of the stored record. */
  readonly stored: string;
}

/** What REDCap had of the values that were sent, compared by type. A late replica is given a few seconds. */
export interface Verification {
  /**
   * Values that are stored, or erased as sent.
   * @isInt
   */
  readonly stored: number;
  /**
   * Values in whose place there is another one.
   * @isInt
   */
  readonly differs: number;
  /**
   * Values in whose place there is nothing.
   * @isInt
   */
  readonly absent: number;
  /** Columns that may not be read, so that their values are not counted. A replayed response has none. */
  readonly unreadable: readonly string[];
  /** The values that are not stored, at most 1000, in the order of the body. A replayed response has none. */
  readonly first: readonly UnstoredValue[];
}

/** A value that was sent and is not stored. */
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
