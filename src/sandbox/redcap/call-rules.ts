import { trimmedCell } from '../../domain/dictionary/dictionary-csv.js';
import { type ImportedRow, NOT_IN_FORMAT, parseImport } from '../../wire/parse-rows.js';
import type { ContentCall } from './content.js';
import type { SandboxProject } from './project.js';
import { ApiFailure, invalidParameter } from '../../wire/api-failure.js';
import type { Parameters } from '../../wire/parameters.js';

/** Reads a value of a row by REDCap's column name; blank if the column is missing. */
export interface DataRow {
  (name: string): string;
  /** Whether the column was sent, even with a blank cell, which erases a value. */
  readonly has: (name: string) => boolean;
}

/**
 * Reads the rows of an import, except imports of records. A single object is read as a list of one.
 *
 * @throws {ApiFailure} 400 when there is no data, or it cannot be read
 */
export function dataRows({ parameters, format }: Pick<ContentCall, 'parameters' | 'format'>): DataRow[] {
  return sentRows({ parameters, format }).map((row) =>
    Object.assign((name: string) => trimmedCell(name, row.get(name) ?? ''), {
      has: (name: string) => row.has(name),
    }),
  );
}

/**
 * The same rows as sent, in which a column that was left out differs from one that is blank.
 *
 * @throws {ApiFailure} 400 when there is no data, or it cannot be read
 */
export function sentRows({
  parameters,
  format,
}: Pick<ContentCall, 'parameters' | 'format'>): readonly ImportedRow[] {
  if (parameters.text('data') === '') throw invalidParameter('data');
  const rows = parseImport(parameters, format, { hasObjects: true });
  if (rows === undefined) throw new ApiFailure(400, NOT_IN_FORMAT);
  return rows;
}

/** Returns the whole number in a required column. @throws {ApiFailure} 400 naming the column */
export function wholeNumber(row: DataRow, name: string): number {
  const text = row(name);
  if (!/^\d{1,9}$/.test(text)) throw new ApiFailure(400, `The value of '${name}' must be a whole number.`);
  return Number(text);
}

/**
 * Returns the number in a required column: whole or not, negative or not.
 *
 * @throws {ApiFailure} 400 naming the column
 */
export function anyNumber(row: DataRow, name: string): number {
  const text = row(name);
  if (!/^-?\d{1,9}(\.\d{1,9})?$/.test(text))
    throw new ApiFailure(400, `The value of '${name}' must be a number.`);
  return Number(text);
}

/**
 * Returns the text in a required column.
 *
 * @throws {ApiFailure} 400 naming the column, in single quotes as REDCap does for `purpose_other`
 * @see docs/protocol/redcap.md 20 (client)
 */
export function requiredText(row: DataRow, name: string): string {
  const text = row(name);
  if (text === '') throw new ApiFailure(400, `The value of '${name}' is missing.`);
  return text;
}

/** @throws {ApiFailure} 400 with the given message, if the project has no events */
export function refuseClassic(project: SandboxProject, text: string): void {
  if (!project.isLongitudinal) throw new ApiFailure(400, text);
}

/** Returns a filter for the arms that the parameter `arms` lists; without it, every arm passes. */
export function inArms<T>(parameters: Parameters, armOf: (item: T) => number): (item: T) => boolean {
  const wanted = parameters.list('arms');
  return (item) => wanted === undefined || wanted.includes(String(armOf(item)));
}

/** Returns the names that a parameter lists. @throws {ApiFailure} 400 if there are none, or one is not known */
export function givenNames(
  parameters: Parameters,
  parameter: string,
  isKnown: (name: string) => boolean = () => true,
): ReadonlySet<string> {
  const names = new Set(parameters.list(parameter));
  if (names.size === 0 || ![...names].every(isKnown)) throw invalidParameter(parameter);
  return names;
}

/** @throws {ApiFailure} 400 if there is no such user, role or group; a blank role or group is none */
export function requireKnown(
  what: 'user' | 'role' | 'data access group',
  name: string,
  isKnown: boolean,
): void {
  if (!isKnown) throw new ApiFailure(400, `The ${what} '${name}' does not exist in the project`);
}
