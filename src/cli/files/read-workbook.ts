import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { readSheet, SheetNotFoundError } from 'read-excel-file/node';
import { CliError } from '../cli-error.js';
import { EXIT_CODES } from '../exit-codes.js';
import { unreadableFile } from './refused-file.js';

/** Which sheet of a workbook is read, and how its numbers are written for the import. */
export interface WorkbookChoice {
  /** The name of the sheet; the first by default. */
  readonly sheet?: string | undefined;
  /** The decimal character that the import reads; a point by default. */
  readonly decimal?: '.' | ',' | undefined;
}

/** The largest workbook that is read. Its sheet is held in memory, at about seventy times this size. */
const MAX_BYTES = 20 * 1024 * 1024;

/**
 * Opens a sheet of a workbook (`.xlsx`) as NDJSON, a line for each row of the sheet, so that a message about a line
 * names the row that a person sees. The first row has the names of the columns; cells of columns without a name are
 * left out. Numbers have the fifteen digits that a spreadsheet shows, dates and times are as REDCap writes them, TRUE is
 * `1` and FALSE `0`. An error of a formula (`#N/A`) is an empty cell.
 *
 * @throws {InvalidRequestError} the file cannot be read
 * @throws {CliError} it is too large or no workbook, the sheet does not exist, or two columns have one name
 */
export async function openWorkbook(
  path: string,
  { sheet, decimal = '.' }: WorkbookChoice,
): Promise<Readable> {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw unreadableFile('file', cause);
  });
  if (size > MAX_BYTES)
    throw new CliError('A workbook may have up to 20 MB: save the sheet as CSV, and import that.');
  const [header = [], ...rows] = await readSheet(path, sheet ?? 1, { trim: false }).catch(
    (cause: unknown) => {
      if (cause instanceof SheetNotFoundError)
        throw new CliError(`The workbook has no such sheet. ${cause.message}`, EXIT_CODES.usage, { cause });
      throw new CliError('The file is not a workbook (.xlsx) that can be read: save the sheet as CSV.', 1, {
        cause,
      });
    },
  );
  const names = header.map((cell) => textOf(cell, decimal));
  const repeated = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (repeated !== undefined) {
    const [first, second] = [names.indexOf(repeated), names.lastIndexOf(repeated)];
    throw new CliError(`The sheet has one name twice: in the columns ${first + 1} and ${second + 1}.`);
  }
  const lines = function* (): Generator<string> {
    yield '\n';
    for (const row of rows) {
      const cells = names.flatMap((name, at) =>
        name === '' ? [] : [[name, textOf(row[at], decimal)] as const],
      );
      yield cells.some(([, text]) => text !== '') ? `${JSON.stringify(Object.fromEntries(cells))}\n` : '\n';
    }
  };
  return Readable.from(lines(), { objectMode: false });
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
