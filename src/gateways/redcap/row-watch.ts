import { CsvRowSplitter } from './csv-row-splitter.js';
import { delimiterByte, type CsvDelimiter } from './csv-delimiter.js';
import { JsonArraySplitter } from './json-array-splitter.js';

/** Follows the rows of an answer while its bytes pass: counts them, and tells whether the answer ended after a whole one. */
export interface RowWatch {
  take(chunk: Buffer): void;
  /** The number of rows so far. The header of CSV is none, and a last row without line end counts once `isWhole` is asked. */
  readonly rows: number;
  /** Called after the last byte. */
  isWhole(): boolean;
}

/** The array must be closed, outside every string. */
export function watchJsonRows(): RowWatch {
  const splitter = new JsonArraySplitter();
  let rows = 0;
  return watch({
    take: (chunk) => splitter.push(chunk, () => rows++),
    get rows() {
      return rows;
    },
    isWhole: () => {
      splitter.end();
      return true;
    },
  });
}

/** The last row must end outside quotes, and each row must be as wide as the header. */
export function watchCsvRows(delimiter?: CsvDelimiter): RowWatch {
  const splitter = new CsvRowSplitter(delimiterByte(delimiter));
  let lines = 0;
  const onRow = (): void => void lines++;
  return watch({
    take: (chunk) => splitter.push(chunk, onRow),
    get rows() {
      return Math.max(0, lines - 1);
    },
    isWhole: () => {
      splitter.end(onRow);
      return true;
    },
  });
}

/** A splitter throws for anything that it cannot split. Whether the answer is an error is judged by its end. */
function watch(rows: RowWatch): RowWatch {
  let isOdd = false;
  const attempt = (work: () => boolean): boolean => {
    try {
      return !isOdd && work();
    } catch {
      isOdd = true;
      return false;
    }
  };
  return {
    take: (chunk) => void attempt(() => (rows.take(chunk), true)),
    get rows() {
      return rows.rows;
    },
    isWhole: () => attempt(() => rows.isWhole()),
  };
}
