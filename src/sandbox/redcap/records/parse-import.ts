import { parse } from 'csv-parse/sync';
import { ApiFailure, type Format } from '../wire/answer.js';
import type { Parameters } from '../wire/parameters.js';

/** One row of an import: column to value, all text. */
export type ImportedRow = ReadonlyMap<string, string>;

/**
 * Reads the data of an import.
 *
 * @returns the rows; undefined for a JSON document that is no list: REDCap stores nothing then, and counts 0 (issue)
 * @throws {ApiFailure} 400 when the data cannot be read
 */
export function parseImport(parameters: Parameters, format: Format): readonly ImportedRow[] | undefined {
  const data = parameters.text('data');
  if (format === 'json') return parseJson(data);
  if (format === 'csv') return parseCsv(data, parameters.text('csvDelimiter'));
  return parseXml(data);
}

/** @see protocol reference 2.3 (wire): the text of malformed JSON */
const JSON_FAILURE =
  'The data being imported is not formatted correctly. PHP error from JSON decoder: Syntax error. The JSON must be in an array, as in [{ ... }].';

function parseJson(data: string): ImportedRow[] | undefined {
  let document: unknown;
  try {
    document = JSON.parse(data);
  } catch {
    throw new ApiFailure(400, JSON_FAILURE);
  }
  if (!Array.isArray(document)) return undefined;
  return document.map((row: unknown) => {
    if (typeof row !== 'object' || row === null) throw new ApiFailure(400, JSON_FAILURE);
    return new Map(Object.entries(row).map(([column, value]) => [column, toText(value)]));
  });
}

/** Numbers and strings are both accepted (client); PHP writes `true` as `1`, `false` and null as nothing. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return value === true ? '1' : '';
}

function parseCsv(data: string, delimiter: string): ImportedRow[] {
  try {
    const rows: string[][] = parse(data, {
      bom: true,
      delimiter: delimiter === 'tab' ? '\t' : delimiter === '' ? ',' : delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
    });
    const [header = [], ...lines] = rows;
    return lines.map((cells) => new Map(header.map((column, index) => [column.trim(), cells[index] ?? ''])));
  } catch {
    throw new ApiFailure(400, 'The data being imported is not formatted correctly.');
  }
}

/** `<records><item><field>value</field></item></records>`, values bare or in CDATA. */
function parseXml(data: string): ImportedRow[] {
  const items = [...data.matchAll(/<item>([\s\S]*?)<\/item>/g)];
  if (items.length === 0) throw new ApiFailure(400, 'The data being imported is not formatted correctly.');
  return items.map(([, item = '']) => {
    const cells = [
      ...item.matchAll(
        /<([a-z][a-z0-9_]*)>(?:<!\[CDATA\[([\s\S]*?)\]\]>|([^<]*))<\/\1>|<([a-z][a-z0-9_]*)\/>/g,
      ),
    ];
    return new Map(
      cells.map(([, name, data, bare, empty]) => [name ?? empty ?? '', data ?? unescapeXml(bare ?? '')]),
    );
  });
}

function unescapeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
