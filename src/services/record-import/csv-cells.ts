import { MAX_COLUMNS } from './input-limits.js';

/** The cells of one row as bytes, one behind the other, without their quotes; in memory that the next row uses again. */
export class CsvCells {
  #bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;
  readonly #ends = new Uint32Array(MAX_COLUMNS);
  #count = 0;

  /** How many cells there are. */
  get count(): number {
    return this.#count;
  }

  /** How many bytes they have together. */
  get size(): number {
    return this.#length;
  }

  /** The bytes of all cells. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Where a cell begins among the bytes. */
  start(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
  }

  /** Where a cell ends. */
  end(index: number): number {
    return this.#ends[index] ?? 0;
  }

  text(index: number): string {
    return this.#bytes.toString('utf8', this.start(index), this.end(index));
  }

  /** Adds bytes to the cell under way. */
  append(source: Buffer, start: number, end: number): void {
    const needed = this.#length + end - start;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    // Most cells are short: a loop is quicker than a call to native code.
    const bytes = this.#bytes;
    let length = this.#length;
    if (end - start > LONG_CELL) {
      source.copy(bytes, length, start, end);
      length = needed;
    } else for (let at = start; at < end; at++) bytes[length++] = source[at] ?? 0;
    this.#length = length;
  }

  /** Ends the cell under way. @returns whether it was taken: there are at most `MAX_COLUMNS` cells */
  endCell(): boolean {
    if (this.#count === MAX_COLUMNS) return false;
    this.#ends[this.#count++] = this.#length;
    return true;
  }

  /** The same cells in memory of their own. */
  copy(): CsvCells {
    const copy = new CsvCells();
    for (let index = 0; index < this.#count; index++) {
      copy.append(this.#bytes, this.start(index), this.end(index));
      copy.endCell();
    }
    return copy;
  }

  clear(): void {
    this.#length = 0;
    this.#count = 0;
  }
}

const FIRST_BYTES = 16 * 1024;
const LONG_CELL = 64;
