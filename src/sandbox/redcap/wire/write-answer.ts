import type { Answer, Format, Row } from './answer.js';

/** Writes an answer as REDCap does. @see protocol reference 1.8 (wire, client) */
export function writeAnswer(answer: Answer, format: Format): string {
  switch (answer.kind) {
    case 'text':
      return answer.text;
    case 'written':
      return answer.body;
    case 'object':
      return writeObject(answer.row, format);
    case 'rows':
      if (format === 'json') return toJson(answer.rows);
      return format === 'xml' ? toXml(answer.rows, answer.root) : toCsv(answer);
  }
}

/** Writes a refusal. @see protocol reference 1.9 (wire, client) */
export function writeFailure(text: string, format: Format): string {
  if (format === 'json') return toJson({ error: text });
  if (format === 'csv') return `ERROR: ${text}`;
  return `${XML_PROLOG}<hash><error>${escapeXml(text)}</error></hash>`;
}

/** `/` is escaped in JSON, as PHP does: parsers do not care. (wire) */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('/', '\\/');
}

/** A cell is quoted when it holds the delimiter, a quote, a blank, a tab or a line break. (wire) */
export function csvCell(value: string, delimiter = ','): string {
  const needsQuotes = /["\s]/.test(value) || value.includes(delimiter);
  return needsQuotes ? `"${value.replaceAll('"', '""')}"` : value;
}

const XML_PROLOG = '<?xml version="1.0" encoding="UTF-8" ?>';

function writeObject(row: Row, format: Format): string {
  if (format === 'json') return toJson(row);
  if (format === 'xml') return toXml([row], 'items');
  const columns = Object.keys(row);
  return toCsv({ kind: 'rows', rows: [row], columns, root: 'items', hasTrailingLineFeed: true });
}

function toCsv({
  rows,
  columns,
  headings = columns,
  delimiter = ',',
  hasTrailingLineFeed,
}: Extract<Answer, { kind: 'rows' }>): string {
  // An empty export has no header: it is a lone line feed (client).
  if (rows.length === 0) return hasTrailingLineFeed ? '\n' : '';
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => csvCell(cell, delimiter)).join(delimiter);
  const lines = [line(headings), ...rows.map((row) => line(columns.map((column) => cellText(row[column]))))];
  return lines.join('\n') + (hasTrailingLineFeed ? '\n' : '');
}

/** Rights of forms stand in one cell: `form_1:1,form_2:0`. (client) */
function cellText(cell: Row[string] | undefined): string {
  if (cell === undefined) return '';
  if (typeof cell !== 'object') return String(cell);
  return Object.entries(cell)
    .map(([form, right]) => `${form}:${right}`)
    .join(',');
}

function toXml(rows: readonly Row[], root: string): string {
  const items = rows.map((row) => `<item>${Object.entries(row).map(xmlElement).join('')}</item>`);
  return `${XML_PROLOG}\n<${root}>\n${items.join('\n')}\n</${root}>`;
}

function xmlElement([name, cell]: [string, Row[string]]): string {
  return `<${name}><![CDATA[${cellText(cell).replaceAll(']]>', ']]]]><![CDATA[>')}]]></${name}>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
