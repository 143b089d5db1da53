import { MAX_COLUMNS } from './input-limits.js';

/** The cells of one row as contiguous bytes, without their quotes. The next row reuses the memory. */
export class CsvCells {
  #bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;
  readonly #ends = new Uint32Array(MAX_COLUMNS);
  #count = 0;

  /** The number of cells. */
  get count(): number {
    return this.#count;
  }

  /** The size of all cells in bytes. */
  get size(): number {
    return this.#length;
  }

  /** The bytes of all cells. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Returns the offset at which a cell begins. */
  start(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
  }

  /** Returns the offset at which a cell ends. */
  end(index: number): number {
    return this.#ends[index] ?? 0;
  }

  text(index: number): string {
    return this.#bytes.toString('utf8', this.start(index), this.end(index));
  }

  /** Appends bytes to the current cell. */
  append(source: Buffer, start: number, end: number): void {
    const needed = this.#length + end - start;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    // Most cells are short, and for them a loop is faster than a call to native code.
    const bytes = this.#bytes;
    let length = this.#length;
    if (end - start > LONG_CELL) {
      source.copy(bytes, length, start, end);
      length = needed;
    } else for (let at = start; at < end; at++) bytes[length++] = source[at] ?? 0;
    this.#length = length;
  }

  /** Ends the current cell. @returns false if there are already `MAX_COLUMNS` cells */
  endCell(): boolean {
    if (this.#count === MAX_COLUMNS) return false;
    this.#ends[this.#count++] = this.#length;
    return true;
  }

  /** Returns a copy with its own memory. */
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
