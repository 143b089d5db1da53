import { CsvError, parse } from 'csv-parse/sync';
import { InvalidRequestError } from '../errors/caller-errors.js';

/** One row of a CSV file, possibly the header. */
export interface CsvRow {
  /**
   * Counted as in a spreadsheet: the header is 1, empty lines count, and a row with line breaks in its cells counts
   * once.
   */
  readonly number: number;
  readonly cells: readonly string[];
}

/** How much of a CSV file is read; everything by default. */
export interface CsvRowLimits {
  /** The maximum number of rows, with the header. */
  readonly rows?: number;
  /** The maximum number of characters of a row. */
  readonly rowCharacters?: number;
}

/**
 * Reads the rows of a CSV file. A byte order mark and empty lines are skipped.
 *
 * @param file how errors name the file
 * @param delimiter one character
 * @throws {InvalidRequestError} naming the row; the parser's own error is not kept, because it contains cells
 */
export function readCsvRows(
  file: string,
  text: string,
  delimiter = ',',
  { rows: maxRows = Infinity, rowCharacters = 0 }: CsvRowLimits = {},
): CsvRow[] {
  try {
    const rows: CsvRow[] = [];
    parse(text, {
      bom: true,
      delimiter,
      skip_empty_lines: true,
      max_record_size: rowCharacters,
      on_record: (cells: string[], { records, empty_lines }) => {
        if (rows.length === maxRows)
          throw new InvalidRequestError([{ field: file, message: `has more than ${maxRows} rows` }]);
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
        : error.code === 'CSV_MAX_RECORD_SIZE'
          ? `has more than ${rowCharacters} characters`
          : 'is not valid CSV';
    throw new InvalidRequestError([{ field: `${file} row ${number}`, message }]);
  }
}
