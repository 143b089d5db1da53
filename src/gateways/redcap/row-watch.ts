import { csvCells } from './csv-cells.js';
import { CsvRowSplitter } from './csv-row-splitter.js';
import { delimiterByte, type CsvDelimiter } from './csv-delimiter.js';
import { JsonArraySplitter } from './json-array-splitter.js';

/** Follows the rows of an answer while its bytes pass, to tell whether it ended after a whole row. */
export interface RowWatch {
  take(chunk: Buffer): void;
  /** Called after the last byte. */
  isWhole(): boolean;
}

/** The array must be closed, outside every string. */
export function watchJsonRows(): RowWatch {
  const splitter = new JsonArraySplitter();
  return watch({
    take: (chunk) => splitter.push(chunk, () => undefined),
    isWhole: () => {
      splitter.end();
      return true;
    },
  });
}

/** The last row must end outside quotes, and be as wide as the header. */
export function watchCsvRows(delimiter?: CsvDelimiter): RowWatch {
  const splitter = new CsvRowSplitter();
  let header: Buffer | undefined;
  let last: Buffer = Buffer.alloc(0);
  const onRow = (source: Buffer, start: number, end: number): void => {
    last = source.subarray(start, end);
    header ??= last;
  };
  const widthOf = (row: Buffer): number => csvCells(row, delimiterByte(delimiter)).length;
  return watch({
    take: (chunk) => splitter.push(chunk, onRow),
    isWhole: () => {
      splitter.end(onRow);
      return header === undefined || widthOf(last) === widthOf(header);
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
    isWhole: () => attempt(() => rows.isWhole()),
  };
}
