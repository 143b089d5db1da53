/**
 * The rows of a chunk as JSON bytes. Its buffers are reused for later chunks once they are returned. A string built for
 * each chunk would be promoted to the old generation by the time it is sent, and V8 collects that late.
 */
export class ChunkBytes {
  readonly #free: Buffer[] = [];
  #buffer: Buffer = EMPTY;
  #length = 0;

  /** @param json one row; it is copied */
  add(json: Buffer): void {
    // Two more bytes: the separator before the row, and the bracket that closes the array.
    const needed = this.#length + json.length + 2;
    if (needed > this.#buffer.length) this.#grow(needed);
    this.#buffer[this.#length] = this.#length === 0 ? OPEN_BRACKET : COMMA;
    this.#length += 1 + json.copy(this.#buffer, this.#length + 1);
  }

  /**
   * Returns the first rows as an array. The rows after them become the start of the next array.
   *
   * @param end size of these rows in bytes, including one separator for each
   */
  cut(end: number): Buffer {
    const buffer = this.#buffer;
    const rest = buffer.subarray(end, this.#length);
    this.#buffer = this.#free.pop() ?? EMPTY;
    this.#length = 0;
    if (rest.length > 0) {
      if (rest.length + 1 > this.#buffer.length) this.#grow(rest.length + 1);
      this.#length = rest.copy(this.#buffer);
      this.#buffer[0] = OPEN_BRACKET;
    }
    buffer[end] = CLOSE_BRACKET;
    return buffer.subarray(0, end + 1);
  }

  /** Takes back an array that `cut` returned and that is no longer read. */
  giveBack(array: Buffer): void {
    this.#free.push(Buffer.from(array.buffer));
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, FIRST_BYTES, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

const OPEN_BRACKET = 0x5b;
const COMMA = 0x2c;
const CLOSE_BRACKET = 0x5d;
const FIRST_BYTES = 128 * 1024;
const EMPTY = Buffer.alloc(0);
