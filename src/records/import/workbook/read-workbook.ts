import { say } from '../../../errors/sentences.js';
import { Readable } from 'node:stream';
import { readSheet, SheetNotFoundError } from 'read-excel-file/node';
import { InvalidRequestError, MalformedRequestError } from '../../../errors/caller-errors.js';
import { heard } from '../../../errors/heard.js';
import type { InputErrors } from '../input-errors.js';
import { MAX_ROW_BYTES } from '../input-limits.js';
import { checkCells } from './check-cells.js';
import { packWorkbook, unpackWorkbook, type WorkbookPart } from './workbook-parts.js';

/** Which sheet of a workbook is read, and how its numbers are written for the import. */
export interface WorkbookChoice {
  /** The name of the sheet; the first by default. */
  readonly sheet?: string | undefined;
  /** The decimal character that the import reads; a point by default. */
  readonly decimal?: '.' | ',' | undefined;
}

/** What a workbook may have. */
export interface WorkbookLimits {
  readonly bytes: number;
  /** The size of the XML of all its sheets together. */
  readonly unpackedBytes: number;
  /** The number of cells in the rectangle of a sheet that holds all values. */
  readonly cells: number;
}

const MIB = 1024 * 1024;

/** The limits of a command. A sheet is held in memory, with up to 900 MB. */
export const COMMAND_LIMITS: WorkbookLimits = {
  bytes: 20 * MIB,
  unpackedBytes: 100 * MIB,
  cells: 10_000_000,
};

/**
 * Opens a sheet of a workbook (`.xlsx`) as NDJSON, a line for each row of the sheet, so that a message about a line
 * names the row that a person sees. The first row has the names of the columns. Numbers have the fifteen digits that a
 * spreadsheet shows, dates and times are as REDCap writes them, TRUE is `1` and FALSE `0`. An error of a formula is its
 * text (`#N/A`), as in a CSV. A whole number of more digits than are exact stays a number, which imports refuse.
 *
 * The library parses without a pause: 3.5 MB (100,000 rows of ten columns) hold up other work for about two seconds.
 *
 * @throws {MalformedRequestError} it is too large or no workbook, two columns have one name, or a column with values has
 *   none
 * @throws {InvalidRequestError} the sheet does not exist
 */
export async function readWorkbook(
  workbook: Buffer,
  { sheet, decimal = '.' }: WorkbookChoice,
  errors: InputErrors,
  limits: WorkbookLimits = COMMAND_LIMITS,
): Promise<Readable> {
  if (workbook.length > limits.bytes)
    throw errors.whole(say('workbook_too_large', { megabytes: limits.bytes / MIB }));
  const [header = [], ...rows] = await rowsOf(workbook, sheet, errors, limits);
  const names = header.map((cell) => textOf(cell, decimal));
  const repeated = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (repeated !== undefined) {
    const [first, second] = [names.indexOf(repeated), names.lastIndexOf(repeated)];
    throw errors.whole(say('sheet_name_twice', { first: first + 1, second: second + 1 }));
  }
  const lines = function* (): Generator<string> {
    yield '\n';
    for (const [index, row] of rows.entries()) {
      let length = 0;
      const place = { row: index + 1, line: index + 2 };
      const cells: [string, string | number][] = [];
      for (const [at, cell] of row.entries()) {
        const name = names[at] ?? '';
        const text = textOf(cell, decimal);
        if (name === '' && text !== '')
          throw errors.row(place, say('value_without_name', { column: at + 1 }));
        if (name === '') continue;
        length += text.length;
        // Cells may share one text, so that a row is larger than the whole workbook.
        if (length > MAX_ROW_BYTES) throw errors.tooLarge(place);
        cells.push([name, isInexact(cell) ? cell : text]);
      }
      yield cells.some(([, text]) => text !== '') ? `${JSON.stringify(Object.fromEntries(cells))}\n` : '\n';
    }
  };
  return heard(Readable.from(lines(), { objectMode: false }));
}

/** Reads a sheet of a workbook of which every part has been checked. */
async function rowsOf(
  workbook: Buffer,
  sheet: string | undefined,
  errors: InputErrors,
  { unpackedBytes, cells }: WorkbookLimits,
) {
  try {
    const parts = await unpackWorkbook(workbook, unpackedBytes);
    if (parts === undefined) throw errors.whole(say('workbook_unpacked', { megabytes: unpackedBytes / MIB }));
    for (const { bytes } of parts) await checkCells(bytes, cells, errors);
    return await readSheet(heard(Readable.from(packWorkbook(parts.map(withErrors)))), sheet ?? 1, {
      trim: false,
    });
  } catch (cause) {
    if (cause instanceof MalformedRequestError) throw cause;
    if (cause instanceof SheetNotFoundError) throw noSuchSheet(cause);
    throw errors.whole(say('not_workbook'), { cause });
  }
}
function noSuchSheet(cause: SheetNotFoundError): InvalidRequestError {
  // The library does not declare the names.
  const { sheets } = cause as SheetNotFoundError & { readonly sheets: readonly string[] };
  const shown = sheets.slice(0, MAX_SHEETS_NAMED).map((name) => name.slice(0, MAX_SHEET_NAME));
  return new InvalidRequestError([{ field: 'sheet', ...say('sheet_name', { sheets: shown }) }], { cause });
}

const MAX_SHEETS_NAMED = 20;

/** The length that a name has in Excel. */
const MAX_SHEET_NAME = 31;

/** The library leaves out a cell with an error: it is given the text of the error instead. */
function withErrors({ name, bytes }: WorkbookPart): WorkbookPart {
  if (!bytes.includes('="e"') && !bytes.includes("='e'")) return { name, bytes };
  return { name, bytes: Buffer.from(bytes.toString('latin1').replace(ERROR_TYPE, '$1"str"'), 'latin1') };
}

const ERROR_TYPE = /(<(?:\w+:)?c\s[^<>]*?\bt=)(?:"e"|'e')/g;

/** Whether a whole number is no longer the one that was typed. */
function isInexact(cell: unknown): cell is number {
  return Number.isInteger(cell) && !Number.isSafeInteger(cell);
}

/** @param cell text, a number, a boolean or a `Date`, for which the library declares its constructor */
function textOf(cell: unknown, decimal: '.' | ','): string {
  if (cell instanceof Date) return dateOf(cell);
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15))).replace('.', decimal);
  if (typeof cell === 'boolean') return cell ? '1' : '0';
  return typeof cell === 'string' ? cell : '';
}

/** Days are counted from here, so that a time without a day is a moment of this one. */
const FIRST_YEAR = 1900;
const SECOND = 1000;

function dateOf(cell: Date): string {
  const [day = '', time = ''] = new Date(Math.round(cell.getTime() / SECOND) * SECOND)
    .toISOString()
    .split('T');
  const clock = time.slice(6, 8) === '00' ? time.slice(0, 5) : time.slice(0, 8);
  if (cell.getUTCFullYear() < FIRST_YEAR) return clock;
  return clock === '00:00' ? day : `${day} ${clock}`;
}
