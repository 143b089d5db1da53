import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import type { WireParameters } from '../../gateways/redcap/wire-parameters.js';

/** The type of a column's values: text, number, number or blank, object of numbers, or any. */
type ColumnType = 'text' | 'number' | 'number or blank' | 'object' | 'any';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether the column exists only in some versions, or only if a feature is enabled. */
  readonly isOptional: boolean;
}

/** Defines columns of one type, in documented order. A question mark marks an optional one: `email_logging?`. */
export function columns(type: ColumnType, ...names: readonly string[]): Column[] {
  return names.map((name) => ({
    name: name.replace(/\?$/, ''),
    type,
    isOptional: name.endsWith('?'),
  }));
}

/**
 * Requests a list without parsing it, and compares its rows with the documentation: the columns, their order and their
 * types. The differences name columns and types, never a value.
 */
export async function shapeDifferences(
  client: CrfClient,
  content: string,
  expected: readonly Column[],
  parameters: WireParameters = {},
): Promise<string[]> {
  const answer = await client.call(content, parameters, undefined, { isRead: true });
  if (!Array.isArray(answer)) return ['the answer is not a list'];
  return rowDifferences(answer as readonly unknown[], expected);
}

/** Compares rows with the documented columns. Each difference is listed once. */
export function rowDifferences(rows: readonly unknown[], expected: readonly Column[]): string[] {
  return [...new Set(rows.flatMap((row) => differencesOf(row, expected)))];
}

function differencesOf(row: unknown, expected: readonly Column[]): string[] {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return ['a row is not an object'];
  const names = Object.keys(row);
  const known = new Map(expected.map((column) => [column.name, column]));
  const found = names.filter((name) => known.has(name));
  const inOrder = expected.map(({ name }) => name).filter((name) => found.includes(name));
  const values = row as Readonly<Record<string, unknown>>;
  return [
    ...expected
      .filter(({ name, isOptional }) => !isOptional && !names.includes(name))
      .map(({ name }) => `column ${name} is missing`),
    ...names.filter((name) => !known.has(name)).map((name) => `column ${shown(name)} is not in the document`),
    ...(found.join() === inOrder.join() ? [] : ['the columns stand in another order']),
    ...found.flatMap((name) => typeDifference(name, values[name], known.get(name)?.type)),
  ];
}

function typeDifference(name: string, value: unknown, type: ColumnType | undefined): string[] {
  if (type === undefined || type === 'any' || isOfType(value, type)) return [];
  return [`column ${name} is ${typeName(value)}, the document says ${type}`];
}

function isOfType(value: unknown, type: ColumnType): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'number or blank':
      return typeof value === 'number' || value === '';
    case 'object':
      return typeof value === 'object' && value !== null;
    case 'any':
      return true;
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? (value === '' ? 'blank' : 'text') : typeof value;
}

/** Returns an undocumented column name only if it looks like one of REDCap's own. */
function shown(name: string): string {
  return /^[a-z][a-z0-9_]{0,60}$/.test(name) ? name : '(with an unusual name)';
}
