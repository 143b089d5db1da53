import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import writeXlsxFile, { type CellObject } from 'write-excel-file/node';
import { CliError } from '../cli-error.js';
import type { ExportTarget } from './file-target.js';

/** A cell: text stays text whatever it begins with, because a workbook keeps formulas apart from it. */
export type WorkbookCell = string | number | Date | null;

export interface WorkbookSheet {
  /** Excel allows 31 characters; what is longer is cut, and a name that occurs again gets a number. */
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly WorkbookCell[])[];
}

/** The most rows and characters that Excel opens. */
const MAX_ROWS = 1_048_575;
const MAX_CHARACTERS = 32_767;

/**
 * Saves a workbook (`.xlsx`). Its sheets are held in memory.
 *
 * @throws {CliError} a sheet has more rows or a cell more characters than Excel opens; nothing is written
 */
export async function saveWorkbook(
  target: ExportTarget,
  sheets: readonly WorkbookSheet[],
  signal: AbortSignal,
): Promise<void> {
  const names = sheetNames(sheets);
  const bytes = await writeXlsxFile(
    sheets.map(({ name, header, rows }, at) => {
      if (rows.length > MAX_ROWS)
        throw new CliError(`${name} has more than ${MAX_ROWS} rows, which no workbook holds: use CSV.`);
      return {
        sheet: names[at] ?? name,
        stickyRowsCount: 1,
        columns: header.map((title, column) => ({ width: widthOf(title, rows, column) })),
        data: [
          header.map((value) => ({ value, type: String, fontWeight: 'bold' as const })),
          ...rows.map((row) => row.map((cell, column) => cellOf(cell, `${name}, ${header[column] ?? ''}`))),
        ],
      };
    }),
  ).toBuffer();
  const sink = await (await target.open()).begin();
  await pipeline(Readable.from([bytes]), sink, { signal });
  await target.complete();
}

/** `YYYY-MM-DD` of a date, which every Excel shows in this order. */
const DATE_FORMAT = 'yyyy-mm-dd';

function cellOf(value: WorkbookCell, place: string): CellObject | null {
  if (value === null || value === '') return null;
  if (typeof value === 'number') return { value, type: Number };
  if (value instanceof Date) return { value, type: Date, format: DATE_FORMAT };
  if (value.length > MAX_CHARACTERS)
    throw new CliError(
      `A value of ${place} has more than ${MAX_CHARACTERS} characters, which no workbook holds: use CSV.`,
    );
  return { value, type: String };
}

/** Shortens a text that people read, such as a list of thousands of choices, to what a cell can hold, and says so. */
export function shortened(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - CUT.length)}${CUT}`;
}

const CUT = ' … (cut: a cell holds no more)';

/** A width that shows most values: that of the header and of the first rows, within limits. */
function widthOf(title: string, rows: WorkbookSheet['rows'], column: number): number {
  const lengths = rows.slice(0, 100).map((row) => {
    const cell = row[column] ?? '';
    return cell instanceof Date ? DATE_FORMAT.length : String(cell).length;
  });
  return Math.min(60, Math.max(title.length, ...lengths) + 2);
}

function sheetNames(sheets: readonly WorkbookSheet[]): string[] {
  const used = new Set<string>();
  return sheets.map(({ name }) => {
    const plain = name.replace(/[[\]:*?/\\']/g, ' ').trim();
    let unique = plain.slice(0, 31);
    for (let copy = 2; used.has(unique.toLowerCase()); copy++)
      unique = `${plain.slice(0, 31 - ` ${copy}`.length)} ${copy}`;
    used.add(unique.toLowerCase());
    return unique;
  });
}
