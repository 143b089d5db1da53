import { z } from 'zod';

/**
 * One row of an export: a record, at an event, in a repeat instance. Every value is a string, empty when
 * missing; only `redcap_repeat_instance` is an integer, on repeating rows.
 *
 * @see docs/protocol/redcap.md 4.4 (client)
 */
export type RecordRow = Readonly<Record<string, string | number>>;

/** Rows of records. Looked at, not rebuilt: there may be a hundred thousand. @see docs/protocol/redcap.md 4.4 (client) */
export const RecordRows: z.ZodType<RecordRow[]> = z.custom<RecordRow[]>(
  (value) => Array.isArray(value) && value.every(isRecordRow),
);

function isRecordRow(value: unknown): value is RecordRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const cell of Object.values(value)) {
    if (typeof cell !== 'string' && typeof cell !== 'number') return false;
  }
  return true;
}
