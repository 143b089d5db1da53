import { parse } from 'csv-parse/sync';
import type { Format } from '../wire/answer.js';
import { ApiFailure } from '../wire/api-failure.js';
import { delimiterOf } from '../wire/delimiter.js';
import type { Parameters } from '../wire/parameters.js';
import type { ImportedRow } from './imported-row.js';
import { parseXmlRows } from './parse-xml.js';

export interface ParseImportOptions {
  /**
   * Whether to read the data as imports of users and settings do: an object as a cell becomes `form_1:1,form_2:0` as in
   * CSV, and `false` becomes `0`; a single object counts as a list of one; any root element may be around the items of
   * XML; and the message for data in another format is `NOT_IN_FORMAT`.
   */
  readonly hasObjects?: boolean;
}

/**
 * Parses the data of an import.
 *
 * @returns the rows; undefined for a JSON document that is not a list, for which REDCap stores nothing and counts 0
 * (issue)
 * @throws {ApiFailure} 400 when the data cannot be parsed
 */
export function parseImport(
  parameters: Parameters,
  format: Format,
  { hasObjects = false }: ParseImportOptions = {},
): readonly ImportedRow[] | undefined {
  const data = parameters.text('data');
  if (format === 'json') return parseJson(data, hasObjects);
  const rows = format === 'csv' ? parseCsv(data, delimiterOf(parameters)) : parseXmlRows(data, hasObjects);
  if (rows === undefined) {
    throw new ApiFailure(
      400,
      hasObjects ? NOT_IN_FORMAT : 'The data being imported is not formatted correctly.',
    );
  }
  return rows;
}

/**
 * The message for data of users, roles and structure that is in another format.
 *
 * @see docs/protocol/redcap.md 20 (client)
 */
export const NOT_IN_FORMAT = 'The data is not in the specified format.';

/** The message for malformed JSON. @see docs/protocol/redcap.md 2.3 (wire) */
const JSON_FAILURE =
  'The data being imported is not formatted correctly. PHP error from JSON decoder: Syntax error. The JSON must be in an array, as in [{ ... }].';

function parseJson(data: string, hasObjects: boolean): ImportedRow[] | undefined {
  let document: unknown;
  try {
    document = JSON.parse(data);
  } catch {
    throw new ApiFailure(400, JSON_FAILURE);
  }
  if (hasObjects && typeof document === 'object' && document !== null && !Array.isArray(document)) {
    document = [document];
  }
  if (!Array.isArray(document)) return undefined;
  return document.map((row: unknown) => {
    if (typeof row !== 'object' || row === null) throw new ApiFailure(400, JSON_FAILURE);
    return new Map(Object.entries(row).map(([column, value]) => [column, toText(value, hasObjects)]));
  });
}

/**
 * Numbers and strings are both accepted (client). PHP converts `true` to `1`, and `false` and null to an empty text.
 */
function toText(value: unknown, hasObjects: boolean): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (hasObjects && typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, right]) => `${name}:${String(right)}`)
      .join(',');
  }
  // A cell must be a single value. What the server does with a list or object is unknown (choice).
  if (typeof value === 'object' && value !== null) throw new ApiFailure(400, JSON_FAILURE);
  // A right or a switch that is sent as false is one that is taken away.
  if (value === false && hasObjects) return '0';
  return value === true ? '1' : '';
}

function parseCsv(data: string, delimiter: string): ImportedRow[] | undefined {
  try {
    const rows: string[][] = parse(data, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
    });
    const [header = [], ...lines] = rows;
    return lines.map((cells) => new Map(header.map((column, index) => [column.trim(), cells[index] ?? ''])));
  } catch {
    return undefined;
  }
}
