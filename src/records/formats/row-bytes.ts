import { setImmediate } from 'node:timers/promises';
import { countBuffer } from '../../domain/bytes/stream-buffers.js';
import { csvCell, REDCAP_QUOTES } from '../../domain/bytes/csv-text.js';
import { CSV_DELIMITERS, type CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';
import type { RowFormat } from './row-format.js';

/** The form in which rows are written. */
export interface RowForm {
  readonly format: RowFormat;
  /**
   * The columns of CSV, in order. The header is written even if there are no rows. A function is called once, when the
   * first row has been read or there are none.
   */
  readonly columns: readonly string[] | (() => readonly string[]);
  /** CSV only: what stands in the header in place of the names of the columns. */
  readonly headings?: (() => readonly string[]) | undefined;
  /** CSV only: a comma by default. */
  readonly csvDelimiter?: CsvDelimiter | undefined;
  /**
   * Writes as REDCap does: JSON with `/` escaped, and CSV without a header if there are no rows.
   *
   * @see docs/protocol/redcap.md 1.8 (wire, client)
   */
  readonly isAsRedcap?: boolean | undefined;
  /** JSON only: `true` (the default) wraps the rows as `{"data":[…]}`; `false` writes the bare array. */
  readonly hasEnvelope?: boolean | undefined;
  /**
   * Creates the data that follows the rows, once all rows are written: further members of the last NDJSON line if
   * `hasTrailerLine` is set, or of the JSON envelope.
   */
  readonly trailer?: ((rows: number) => Readonly<Record<string, unknown>>) | undefined;
  /** Called with the number of rows in the bytes written so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
  /** NDJSON only: writes the last line `{"_complete":true,"records":N,…}`. */
  readonly hasTrailerLine?: boolean | undefined;
}

/** A row, by its columns. */
export type OutputRow = Readonly<Record<string, unknown>>;

const CHUNK_CHARACTERS = 64 * 1024;
/** How many chunks are written before other requests get a turn. */
const CHUNKS_A_TURN = 8;

/** Writes rows as bytes, in chunks of about 64 KiB. Yields to other requests between chunks. */
export async function* rowBytes(
  rows: AsyncIterable<OutputRow>,
  form: RowForm,
): AsyncGenerator<Buffer, void, undefined> {
  let begun: Beginning | undefined;
  let [text, count, chunks] = ['', 0, 0];
  for await (const row of rows) {
    if (begun === undefined) {
      begun = begin(form);
      text = begun.opening;
    }
    if (form.format === 'json' && count > 0) text += ',';
    text += form.format === 'json' ? begun.write(row) : `${begun.write(row)}\n`;
    count++;
    if (text.length < CHUNK_CHARACTERS) continue;
    form.onRows?.(count);
    const chunk = Buffer.from(text);
    countBuffer(chunk.length);
    yield chunk;
    text = '';
    if (++chunks % CHUNKS_A_TURN === 0) await setImmediate();
  }
  form.onRows?.(count);
  if (begun === undefined && !(form.isAsRedcap && form.format === 'csv')) text = begin(form).opening;
  yield Buffer.from(text + closingOf(form, count));
}

/** The bytes before the first row, and how a row is written. */
interface Beginning {
  readonly opening: string;
  readonly write: (row: OutputRow) => string;
}

function begin(form: RowForm): Beginning {
  const { format, columns, hasEnvelope = true, isAsRedcap = false } = form;
  if (format === 'csv') {
    const separator = CSV_DELIMITERS[form.csvDelimiter ?? ','];
    const names = typeof columns === 'function' ? columns() : columns;
    const line = (cells: readonly unknown[]): string =>
      cells.map((cell) => textOfCell(cell, separator)).join(separator);
    return {
      opening: `${line(form.headings?.() ?? names)}\n`,
      write: (row) => line(names.map((name) => row[name])),
    };
  }
  const isWrapped = format === 'json' && hasEnvelope;
  return {
    opening: isWrapped ? '{"data":[' : format === 'json' ? '[' : '',
    write: isAsRedcap ? (row) => JSON.stringify(row).replaceAll('/', '\\/') : JSON.stringify,
  };
}

/** @returns the bytes after the last row */
function closingOf(
  { format, trailer, hasEnvelope = true, hasTrailerLine = false }: RowForm,
  rows: number,
): string {
  if (format === 'json') {
    const members = hasEnvelope ? Object.entries(trailer?.(rows) ?? {}) : [];
    const rest = members.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
    return `]${hasEnvelope ? `${rest.join('')}}` : ''}`;
  }
  if (format === 'csv' || !hasTrailerLine) return '';
  return `${JSON.stringify({ _complete: true, records: rows, ...trailer?.(rows) })}\n`;
}

/** Writes a CSV cell: empty for null, JSON for lists and objects. Quotes where REDCap does. */
function textOfCell(value: unknown, separator: string): string {
  if (value === null || value === undefined) return '';
  return csvCell(typeof value === 'string' ? value : JSON.stringify(value), separator, REDCAP_QUOTES);
}
