import { CsvRowSplitter } from './csv-row-splitter.js';
import { delimiterByte, type CsvDelimiter } from './csv-delimiter.js';
import { JsonArraySplitter, type OnSlice } from './json-array-splitter.js';

/** Finds rows in bytes that may be cut anywhere. Throws for anything that it cannot split. */
interface RowSplitter {
  push(chunk: Buffer, onRow: OnSlice): void;
  end(onRow: OnSlice): void;
}

/** Follows the rows of an answer while its bytes pass: counts them, and tells whether the answer ended after a whole one. */
export class RowWatch {
  #lines = 0;
  #isOdd = false;

  /** @param headers the number of lines that are no rows */
  constructor(
    private readonly splitter: RowSplitter,
    private readonly headers = 0,
  ) {}

  /** The number of rows so far. A last row of CSV without line end counts once `isWhole` is asked. */
  get rows(): number {
    return Math.max(0, this.#lines - this.headers);
  }

  take(chunk: Buffer): void {
    this.#attempt(() => this.splitter.push(chunk, this.#count));
  }

  /** Called after the last byte. */
  isWhole(): boolean {
    this.#attempt(() => this.splitter.end(this.#count));
    return !this.#isOdd;
  }

  readonly #count = (): void => void this.#lines++;

  /** Whether an answer that cannot be split is an error of REDCap is judged by its end. */
  #attempt(work: () => void): void {
    try {
      if (!this.#isOdd) work();
    } catch {
      this.#isOdd = true;
    }
  }
}

/** The array must be closed, outside every string. */
export function watchJsonRows(): RowWatch {
  return new RowWatch(new JsonArraySplitter({ isCounted: true }));
}

/** The last row must end outside quotes, and each row must be as wide as the header. */
export function watchCsvRows(delimiter?: CsvDelimiter): RowWatch {
  return new RowWatch(new CsvRowSplitter(delimiterByte(delimiter)), 1);
}
