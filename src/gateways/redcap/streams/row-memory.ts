/**
 * The bytes of rows, one behind the other, in memory that serves again after `clear`. A buffer for each row would have
 * grown old by the time its batch is written, and V8 collects late what is old.
 */
export class RowMemory {
  #bytes: Buffer = NOTHING;
  #ends = new Uint32Array(FIRST_ROWS);
  #length = 0;

  /** How many rows there are. */
  get length(): number {
    return this.#length;
  }

  /** The room there is for bytes. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** Adds the bytes of `source` from `start` up to, without, `end`. @returns the number of the row, from 0 */
  add(source: Buffer, start: number, end: number): number {
    const from = this.#endOf(this.#length - 1);
    if (from + end - start > this.#bytes.length) this.#growBytes(from + end - start);
    if (this.#length === this.#ends.length) this.#growEnds();
    this.#ends[this.#length] = from + source.copy(this.#bytes, from, start, end);
    return this.#length++;
  }

  /** The row of a number: good until `clear`. */
  row(number: number): Buffer {
    return this.#bytes.subarray(this.#endOf(number - 1), this.#endOf(number));
  }

  clear(): void {
    this.#length = 0;
  }

  #endOf(number: number): number {
    return number < 0 ? 0 : (this.#ends[number] ?? 0);
  }

  #growBytes(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, FIRST_BYTES, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#endOf(this.#length - 1));
    this.#bytes = larger;
  }

  #growEnds(): void {
    const larger = new Uint32Array(this.#ends.length * 2);
    larger.set(this.#ends);
    this.#ends = larger;
  }
}

const FIRST_ROWS = 512;
const FIRST_BYTES = 128 * 1024;
const NOTHING = Buffer.alloc(0);
