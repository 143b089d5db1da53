import * as z from 'zod';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';

/**
 * One row of an export, for one record, event and repeat instance. Every value is a string, empty if missing. Only
 * `redcap_repeat_instance` is an integer, on repeating rows.
 *
 * @see docs/protocol/redcap.md 4.4 (client)
 */
export type RecordRow = Readonly<Record<string, string | number>>;

/**
 * Returns the cell of a column; undefined if the row has none. A field may be called `constructor`, which every object
 * inherits.
 */
export function cellOf(row: RecordRow, column: string): string | number | undefined {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

/** Returns the record id of a row. @throws {UpstreamInvalidError} the row has none, though it was asked for */
export function recordIdOf(row: RecordRow, idField: string): string {
  const id = cellOf(row, idField);
  if (id === undefined)
    throw new UpstreamInvalidError('A row of REDCap has no record id, though it was asked for.');
  return String(id);
}

/**
 * Rows of records. They are checked in place, not copied: there may be 100,000 of them.
 *
 * @see docs/protocol/redcap.md 4.4 (client)
 */
export const RecordRows: z.ZodType<RecordRow[]> = z.custom<RecordRow[]>(
  (value) => Array.isArray(value) && value.every(isRecordRow),
);

/** Returns whether a value is an object whose cells are text or numbers. */
export function isRecordRow(value: unknown): value is RecordRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const cell of Object.values(value)) {
    if (typeof cell !== 'string' && typeof cell !== 'number') return false;
  }
  return true;
}

/**
 * A stored text converted by the type of its field: a number, a boolean, ISO 8601, the codes of a checkbox field,
 * `null` for blank, `{ missing }` for a missing data code. With `labels`, a code is `{ code, label }`. Text that does
 * not match the type stays text.
 */
export type TypedValue =
  | string
  | number
  | boolean
  | null
  | { readonly missing: string }
  | { readonly code: string; readonly label: string }
  | readonly (string | { readonly code: string; readonly label: string })[];

/** A row with typed values. A checkbox field is one list under the name of the field. */
export type TypedRow = Readonly<Record<string, TypedValue>>;
