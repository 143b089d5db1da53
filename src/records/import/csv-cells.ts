import { isUtf8 } from 'node:buffer';
import { MAX_COLUMNS } from './input-limits.js';

/** Collects the bytes of the cells of one row, without their quotes, and decodes all of them at once. */
export class CsvCells {
  #bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;
  #ends: number[] = [];

  /** Whether no cell has ended. */
  get isEmpty(): boolean {
    return this.#ends.length === 0;
  }

  /** Whether all cells are blank. */
  get isBlank(): boolean {
    return this.#length === 0;
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

  /** Ends the current cell. @returns false if there are already `MAX_COLUMNS` cells */
  endCell(): boolean {
    if (this.#ends.length === MAX_COLUMNS) return false;
    this.#ends.push(this.#length);
    return true;
  }

  /** Returns the cells as text and forgets them; undefined if they are not UTF-8. */
  take(): string[] | undefined {
    const bytes = this.#bytes.subarray(0, this.#length);
    const ends = this.#ends;
    this.#length = 0;
    this.#ends = [];
    if (!isUtf8(bytes)) return undefined;
    const text = bytes.toString('utf8');
    const isAscii = text.length === bytes.length;
    return ends.map((end, index) => {
      const start = ends[index - 1] ?? 0;
      return isAscii ? text.slice(start, end) : bytes.toString('utf8', start, end);
    });
  }

  #makeRoom(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const FIRST_BYTES = 16 * 1024;
