/** The places of the cells of one CSV row. Made once and filled for each row: nothing is allocated for a cell. */
export class RowCells {
  #starts = new Int32Array(64);
  #ends = new Int32Array(64);
  #source: Buffer = EMPTY;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Finds the cells between commas; what stands in quotes is one cell. */
  read(source: Buffer, start: number, end: number): void {
    this.#source = source;
    this.#count = 0;
    let from = start;
    let isQuoted = false;
    for (let at = start; at < end; at++) {
      const byte = source[at];
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === COMMA && !isQuoted) {
        this.#add(from, at);
        from = at + 1;
      }
    }
    this.#add(from, end);
  }

  /** Whether a cell is empty; so is one that the row does not have. */
  isEmpty(index: number): boolean {
    return index < 0 || index >= this.#count || this.#starts[index] === this.#ends[index];
  }

  /** The only byte of a cell; -1 when it has none or several. */
  onlyByte(index: number): number {
    if (index < 0 || index >= this.#count) return -1;
    const start = this.#starts[index] ?? 0;
    return (this.#ends[index] ?? 0) - start === 1 ? (this.#source[start] ?? -1) : -1;
  }

  /** A cell as text, without its quotes. */
  text(index: number): string {
    if (index < 0 || index >= this.#count) return '';
    const text = this.#source.toString('utf8', this.#starts[index], this.#ends[index]);
    return text.includes('"') ? text.replaceAll('""', '"') : text;
  }

  /** Whether a cell has the same bytes as the ones given. */
  equals(index: number, bytes: Buffer): boolean {
    const start = this.#starts[index] ?? 0;
    return this.#source.compare(bytes, 0, bytes.length, start, this.#ends[index] ?? 0) === 0;
  }

  /** The bytes of a cell, of their own. */
  bytes(index: number): Buffer {
    return Buffer.from(this.#source.subarray(this.#starts[index], this.#ends[index]));
  }

  #add(start: number, end: number): void {
    if (this.#count === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#ends = grown(this.#ends);
    }
    const hasQuotes = end - start >= 2 && this.#source[start] === QUOTE && this.#source[end - 1] === QUOTE;
    this.#starts[this.#count] = hasQuotes ? start + 1 : start;
    this.#ends[this.#count] = hasQuotes ? end - 1 : end;
    this.#count += 1;
  }
}

function grown(list: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(list.length * 2);
  larger.set(list);
  return larger;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const EMPTY = Buffer.alloc(0);
