import { CsvError, parse } from 'csv-parse/sync';
import { InvalidRequestError } from '../errors/caller-errors.js';

/** One row of a CSV file, the header among them. */
export interface CsvRow {
  /** As a spreadsheet counts: the header is 1, empty lines count, and cells with line breaks do not make more than one row. */
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * Reads the rows of a CSV file; a byte order mark and empty lines are passed over.
 *
 * @param file what the file is called in errors
 * @throws {InvalidRequestError} naming the row; the parser's own error holds cells, and does not go on
 */
export function readCsvRows(file: string, text: string): CsvRow[] {
  try {
    const rows: CsvRow[] = [];
    parse(text, {
      bom: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { records, empty_lines }) => {
        rows.push({ number: records + empty_lines, cells });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const number = Number(error['records']) + Number(error['empty_lines']) + 1;
    const message =
      error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH'
        ? 'has another number of cells than the header'
        : 'is not valid CSV';
    throw new InvalidRequestError([{ field: `${file} row ${number}`, message }]);
  }
}
