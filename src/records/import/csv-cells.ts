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

  /** Appends a byte to the current cell. */
  addByte(byte: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#length++] = byte;
  }

  /**
   * Appends bytes to the current cell, up to the first for which `stops` is 1. One loop both searches and copies: most
   * cells are short, and for them that is faster than calls to native code.
   *
   * @returns the offset of that byte; `source.length` if there is none
   */
  appendUntil(source: Buffer, from: number, stops: Uint8Array): number {
    const { length: end } = source;
    this.#makeRoom(end - from);
    const bytes = this.#bytes;
    let length = this.#length;
    let at = from;
    for (; at < end; at++) {
      const byte = source[at] ?? 0;
      if (stops[byte] === 1) break;
      bytes[length++] = byte;
    }
    this.#length = length;
    return at;
  }

  #makeRoom(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
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
    copy.#bytes = Buffer.from(this.bytes);
    copy.#length = this.#length;
    copy.#ends.set(this.#ends);
    copy.#count = this.#count;
    return copy;
  }

  clear(): void {
    this.#length = 0;
    this.#count = 0;
  }
}

const FIRST_BYTES = 16 * 1024;
