/**
 * A list of byte sequences in buffers that are reused after `clear`. One buffer or string per item would be promoted to
 * the old generation before it is last used, and V8 collects that late.
 */
export class ByteList {
  #bytes: Buffer = NOTHING;
  #ends = new Uint32Array(FIRST_PIECES);
  #length = 0;

  /** The number of items. */
  get length(): number {
    return this.#length;
  }

  /** The capacity in bytes. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** Adds the bytes of `source` from `start` (inclusive) to `end` (exclusive). @returns the index of the item */
  add(source: Buffer, start: number, end: number): number {
    const from = this.#makeRoom(end - start);
    return this.#endAt(from + source.copy(this.#bytes, from, start, end));
  }

  /** Adds a text as UTF-8. @param text must not contain a lone surrogate, which UTF-8 cannot encode */
  addText(text: string): number {
    // A code unit takes at most three bytes.
    const from = this.#makeRoom(text.length * 3);
    return this.#endAt(from + this.#bytes.write(text, from, 'utf8'));
  }

  /** Returns the item at an index, which is valid until `clear`. */
  at(number: number): Buffer {
    return this.#bytes.subarray(this.#endOf(number - 1), this.#endOf(number));
  }

  clear(): void {
    this.#length = 0;
  }

  #endOf(number: number): number {
    return number < 0 ? 0 : (this.#ends[number] ?? 0);
  }

  /** @returns the start of the next item */
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
