import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { readCsvRows } from '../../domain/dictionary/csv-rows.js';

/** Reads a value of a row by column; blank if the file does not have the column. */
export type StructureRow = (name: string) => string;

/**
 * Reads a list as exported by REDCap's API, in CSV or JSON.
 *
 * @param file the file's name in error messages: `events`
 * @throws {InvalidRequestError} naming the file and the rule, never quoting the content
 */
export async function readStructureRows(file: string, text: string): Promise<StructureRow[]> {
  const rows = /^\s*\[/.test(text) ? readJson(file, text) : await readCsv(file, text);
  return rows.map((row) => (name) => (row.get(name) ?? '').trim());
}

async function readCsv(file: string, text: string): Promise<Map<string, string>[]> {
  const [header, ...rows] = await readCsvRows(file, text);
  const columns = header?.cells ?? [];
  return rows.map(({ cells }) => new Map(columns.map((column, at) => [column.trim(), cells[at] ?? ''])));
}

function readJson(file: string, text: string): Map<string, string>[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    document = undefined;
  }
  const isList = (value: unknown): value is object[] =>
    Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null);
  if (!isList(document)) {
    throw new InvalidRequestError([{ field: file, message: 'must be CSV, or a JSON list of objects' }]);
  }
  return document.map((row) => new Map(Object.entries(row).map(([name, value]) => [name, toText(value)])));
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
