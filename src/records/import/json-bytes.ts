/** The JSON of one row as bytes. The next row reuses the memory. */
export class JsonBytes {
  #bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  /** The bytes written so far, valid until `clear`. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  addByte(byte: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = byte;
  }

  add(source: Uint8Array, start = 0, end = source.length): void {
    const size = end - start;
    if (this.#length + size > this.#bytes.length) this.#grow(size);
    const bytes = this.#bytes;
    let length = this.#length;
    // Most pieces are short, and for them a loop is faster than a call to native code.
    for (let at = start; at < end; at++) bytes[length++] = source[at] ?? 0;
    this.#length = length;
  }

  /** Adds UTF-8 text as the content of a JSON string. */
  addEscaped(source: Uint8Array, start: number, end: number): void {
    const most = (end - start) * LONGEST_ESCAPE;
    if (this.#length + most > this.#bytes.length) this.#grow(most);
    const bytes = this.#bytes;
    let length = this.#length;
    for (let at = start; at < end; at++) {
      const byte = source[at] ?? 0;
      if (byte < SPACE) {
        length += bytes.write(CONTROL_ESCAPES[byte] ?? '', length, 'latin1');
        continue;
      }
      if (byte === QUOTE || byte === BACKSLASH) bytes[length++] = BACKSLASH;
      bytes[length++] = byte;
    }
    this.#length = length;
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#length + size, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const FIRST_BYTES = 16 * 1024;
const [SPACE, QUOTE, BACKSLASH] = [0x20, 0x22, 0x5c];
/** The length of `\u001f`. */
const LONGEST_ESCAPE = 6;
/** The escape sequences of control characters, by character code. */
const CONTROL_ESCAPES: readonly string[] = Array.from({ length: SPACE }, (_, code) =>
  JSON.stringify(String.fromCharCode(code)).slice(1, -1),
);
