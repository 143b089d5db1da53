/**
 * Pieces of bytes, one behind the other, in buffers that are reused after `clear`. A buffer or a string for each would have
 * grown old by the time it is needed last, and V8 collects late what is old.
 */
export class ByteList {
  #bytes: Buffer = NOTHING;
  #ends = new Uint32Array(FIRST_PIECES);
  #length = 0;

  /** How many pieces there are. */
  get length(): number {
    return this.#length;
  }

  /** The capacity in bytes. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** Adds the bytes of `source` from `start` up to, without, `end`. @returns the number of the piece, from 0 */
  add(source: Buffer, start: number, end: number): number {
    const from = this.#makeRoom(end - start);
    return this.#endAt(from + source.copy(this.#bytes, from, start, end));
  }

  /** Adds the UTF-8 of a text. @param text without half of a surrogate pair, which UTF-8 cannot carry */
  addText(text: string): number {
    // No code unit takes more than three bytes.
    const from = this.#makeRoom(text.length * 3);
    return this.#endAt(from + this.#bytes.write(text, from, 'utf8'));
  }

  /** The piece of a number: good until `clear`. */
  at(number: number): Buffer {
    return this.#bytes.subarray(this.#endOf(number - 1), this.#endOf(number));
  }

  clear(): void {
    this.#length = 0;
  }

  #endOf(number: number): number {
    return number < 0 ? 0 : (this.#ends[number] ?? 0);
  }

  /** @returns where the next piece begins */
  #makeRoom(bytes: number): number {
    const from = this.#endOf(this.#length - 1);
    if (from + bytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(from + bytes, FIRST_BYTES, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, from);
      this.#bytes = larger;
    }
    return from;
  }

  #endAt(end: number): number {
    if (this.#length === this.#ends.length) {
      const larger = new Uint32Array(this.#ends.length * 2);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#ends[this.#length] = end;
    return this.#length++;
  }
}

const FIRST_PIECES = 512;
const FIRST_BYTES = 32 * FIRST_PIECES;
const NOTHING = Buffer.alloc(0);
