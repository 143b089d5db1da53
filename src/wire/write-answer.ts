import { csvCell, quotedCell, REDCAP_QUOTES } from '../domain/bytes/csv-text.js';
import type { Answer, Cell, CsvStyle, Format, ListAnswer, Row } from './answer.js';

/** The first line of every XML document. @see docs/protocol/redcap.md 1.8 (doc, client) */
export const XML_PROLOG = '<?xml version="1.0" encoding="UTF-8" ?>';

/** The media types of the formats. @see docs/protocol/redcap.md 1.7 (wire) */
export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
};

/**
 * What answers a call of an external module, which is none of the API, where there is no module.
 *
 * @see docs/protocol/redcap.md 20 (client); the page is ours, 18 (choice)
 */
export const NO_MODULE_PAGE =
  '<!DOCTYPE html><title>External Modules</title><p>There are no external modules here.</p>\n';

/** Writes an answer like REDCap. @see docs/protocol/redcap.md 1.8 (wire, client) */
export function writeAnswer(answer: Exclude<Answer, { kind: 'bytes' }>, format: Format): string {
  switch (answer.kind) {
    case 'text':
      return answer.text;
    case 'written':
      return answer.body;
    case 'object':
      if (format === 'json') return toJson(answer.row);
      return format === 'xml' && answer.isBareItem === true
        ? `${XML_PROLOG}\n${xmlRows(oneRow(answer.row)).join('')}`
        : writeList(oneRow(answer.row), format);
    case 'list':
      return writeList(answer, format);
  }
}

/** Writes an error message. @see docs/protocol/redcap.md 1.9 (wire, client) */
export function writeFailure(text: string, format: Format): string {
  if (format === 'json') return toJson({ error: text });
  if (format === 'csv') return `ERROR: ${text}`;
  return `${XML_PROLOG}<hash><error>${escapeXml(text)}</error></hash>`;
}

/** Writes the result of an import: the number of records. @see docs/protocol/redcap.md 5.6 (client) */
export function writeCount(count: number, format: Format): string {
  if (format === 'json') return toJson({ count });
  return format === 'csv' ? String(count) : `${XML_PROLOG}<count>${count}</count>`;
}

/**
 * Writes the result of an import that runs in the background.
 *
 * @see docs/protocol/redcap.md 5.2 (doc; CSV and XML choice)
 */
export function writeSuccess(format: Format): string {
  if (format === 'json') return toJson({ success: true });
  return format === 'csv' ? 'true' : `${XML_PROLOG}<success>true</success>`;
}

/** Writes the result of an import: the IDs of the records. @see docs/protocol/redcap.md 5.6 (client; XML inferred) */
export function writeIds(ids: readonly string[], format: Format): string {
  if (format === 'json') return toJson(ids);
  if (format === 'csv') return ['id', ...ids.map((id) => csvCell(id, ',', REDCAP_QUOTES))].join('\n');
  return `${XML_PROLOG}<ids>${ids.map((id) => `<id>${escapeXml(id)}</id>`).join('')}</ids>`;
}

/** Writes JSON like PHP, which escapes `/`. (wire) */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('/', '\\/');
}

function oneRow(row: Row): ListAnswer {
  return {
    kind: 'list',
    columns: Object.keys(row),
    rows: [Object.values(row)],
    root: 'items',
    csv: { hasTrailingLineFeed: true },
  };
}

function writeList(list: ListAnswer, format: Format): string {
  if (format === 'json') return listToJson(list.columns, list.rows);
  if (format === 'xml') return listToXml(list);
  // Only records have no header if there are none. @see docs/protocol/redcap.md 1.8, 20 (client)
  if (list.rows.length === 0 && list.root === 'records') return list.csv.hasTrailingLineFeed ? '\n' : '';
  return listToCsv(list.columns, list.rows, list.csv);
}

/** Writes the keys once for all rows. Most cells of an export are blank or short codes, which need no escaping. */
function listToJson(columns: readonly string[], rows: ListAnswer['rows']): string {
  const keys = columns.map((column, index) => `${index === 0 ? '' : ','}${JSON.stringify(column)}:`);
  const items = rows.map((cells) => {
    let item = '{';
    for (const [index, cell] of cells.entries()) item += `${keys[index] ?? ''}${jsonCell(cell)}`;
    return `${item}}`;
  });
  return `[${items.join(',')}]`;
}

function jsonCell(cell: Cell): string {
  if (cell === '') return '""';
  return typeof cell === 'string' && /^\w+$/.test(cell) ? `"${cell}"` : toJson(cell);
}

function listToCsv(columns: readonly string[], rows: ListAnswer['rows'], style: CsvStyle): string {
  const { headings = columns, delimiter = ',', hasTrailingLineFeed, quotedColumn, hasBareBlanks } = style;
  const header = headings.map((heading) => csvCell(heading, delimiter, REDCAP_QUOTES)).join(delimiter);
  const special = hasBareBlanks ? undefined : REDCAP_QUOTES;
  const write = (cell: Cell, index: number): string =>
    columns[index] === quotedColumn ? quotedCell(toText(cell)) : csvCell(toText(cell), delimiter, special);
  const lines = rows.map((cells) => cells.map(write).join(delimiter));
  return [header, ...lines].join('\n') + (hasTrailingLineFeed ? '\n' : '');
}

function listToXml(list: ListAnswer): string {
  return [XML_PROLOG, `<${list.root}>`, ...xmlRows(list), `</${list.root}>`].join('\n');
}

/** Each row as an element of elements. */
function xmlRows({ columns, rows, element = 'item' }: ListAnswer): string[] {
  return rows.map((cells) =>
    xmlRow(
      cells.map((cell, index) => [columns[index] ?? '', cell]),
      element,
    ),
  );
}

/** Writes a row as an element of elements. */
export function xmlRow(cells: readonly (readonly [column: string, cell: Cell])[], element = 'item'): string {
  const inner = cells.map(([column, cell]) => xmlElement(column, cell)).join('');
  return `<${element}>${inner}</${element}>`;
}

/** Rights by instrument are elements of their own. @see docs/protocol/redcap.md 20 (doc) */
function xmlElement(name: string, cell: Cell): string {
  if (typeof cell === 'object') {
    const inner = Object.entries(cell).map(([form, right]) => xmlElement(form, right));
    return `<${name}>${inner.join('')}</${name}>`;
  }
  return `<${name}><![CDATA[${toText(cell).replaceAll(']]>', ']]]]><![CDATA[>')}]]></${name}>`;
}

/** Rights by form are written in one cell: `form_1:1,form_2:0`. (client) */
function toText(cell: Cell): string {
  if (typeof cell !== 'object') return String(cell);
  return Object.entries(cell)
    .map(([form, right]) => `${form}:${right}`)
    .join(',');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Returns `image/jpeg; name="mugshot-2.jpg"`, `text/plain; name="notes.txt";charset=UTF-8` or `text/html;
 * charset=UTF-8`.
 */
export function contentTypeOf(type: string, fileName: string | undefined): string {
  if (fileName === undefined) return `${type}; charset=UTF-8`;
  // Headers are bytes: like PHP, send the UTF-8 bytes of the name.
  const name = Buffer.from(fileName.replaceAll('"', ''), 'utf8')
    .toString('latin1')
    .replace(/[^\x20-\x7e\x80-\xff]/g, '');
  return `${type}; name="${name}"${type.startsWith('text/') ? ';charset=UTF-8' : ''}`;
}
