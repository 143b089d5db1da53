import { toField } from '../../domain/dictionary/dictionary-csv.js';
import type { Field } from '../../domain/dictionary/field.js';

/** Reads the data dictionary of a made-up study: CSV with semicolons, without quotes. Cells at the end may be left out. */
export function fieldsOf(table: string): Field[] {
  const [header = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split(';'));
  return rows.map((cells) => toField((name) => cells[header.indexOf(name)] ?? ''));
}
