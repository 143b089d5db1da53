import { parseImport } from './records/parse-import.js';
import type { ContentCall } from './content-call.js';
import { ApiFailure, invalidParameter } from './wire/api-failure.js';

/** A row of what an import of the project's structure brings: by REDCap's names, blank where nothing was given. */
export type DataRow = (name: string) => string;

/**
 * Reads the rows of an import other than that of records. A single object stands for a list of one.
 *
 * @throws {ApiFailure} 400 when there is no data, or it cannot be read
 */
export function dataRows({ parameters, format }: Pick<ContentCall, 'parameters' | 'format'>): DataRow[] {
  if (parameters.text('data') === '') throw invalidParameter('data');
  const rows = parseImport(parameters, format, { hasObjects: true });
  if (rows === undefined) throw new ApiFailure(400, 'The data being imported is not formatted correctly.');
  return rows.map((row) => (name) => (row.get(name) ?? '').trim());
}

/**
 * A whole number that must be given.
 *
 * @throws {ApiFailure} 400 naming the column
 */
export function wholeNumber(row: DataRow, name: string): number {
  const text = row(name);
  if (!/^\d{1,9}$/.test(text)) throw new ApiFailure(400, `The value of "${name}" must be a whole number.`);
  return Number(text);
}

/**
 * A text that must be given.
 *
 * @throws {ApiFailure} 400 naming the column
 */
export function requiredText(row: DataRow, name: string): string {
  const text = row(name);
  if (text === '') throw new ApiFailure(400, `The value of "${name}" is missing.`);
  return text;
}
