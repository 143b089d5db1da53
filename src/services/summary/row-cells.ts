/**
 * The positions of the cells of one CSV row. The object is reused for each row, so that nothing is allocated per cell.
 */
export class RowCells {
  #starts = new Int32Array(64);
  #ends = new Int32Array(64);
  #source: Buffer = EMPTY;
  #count = 0;
  #start = 0;
  #end = 0;

  get count(): number {
    return this.#count;
  }

  /** Whether the row is an empty line. */
  get isBlank(): boolean {
    return this.#count === 1 && this.#source[(this.#starts[0] ?? 0) - 1] !== QUOTE && this.isEmpty(0);
  }

  /**
   * Finds the cells of the row that begins at `start`, up to its line feed, in one pass. Quoted text is part of one
   * cell, including line breaks.
   *
   * @returns the offset of the line feed; -1 if the bytes end before it, in which case there are no cells
   */
  read(source: Buffer, start: number): number {
    this.#source = source;
    this.#count = 0;
    this.#start = start;
    const { length } = source;
    let from = start;
    let at = start;
    while (at < length) {
      const byte = source[at] ?? 0;
      // Letters and digits have higher codes than the comma, so most bytes cost one comparison.
      if (byte > COMMA) at++;
      else if (byte === COMMA) {
        this.#add(from, at++);
        from = at;
      } else if (byte === QUOTE) {
        for (at++; at < length && source[at] !== QUOTE; at++);
        at++;
      } else if (byte === LINE_FEED) {
        this.#add(from, source[at - 1] === RETURN && at > from ? at - 1 : at);
        this.#end = at + 1;
        return at;
      } else at++;
    }
    this.#count = 0;
    return -1;
  }

  /** Returns whether a cell is empty or does not exist. */
  isEmpty(index: number): boolean {
    return index < 0 || index >= this.#count || this.#starts[index] === this.#ends[index];
  }

  /** Returns the only byte of a cell; -1 if it has none or several. */
  onlyByte(index: number): number {
    if (index < 0 || index >= this.#count) return -1;
    const start = this.#starts[index] ?? 0;
    return (this.#ends[index] ?? 0) - start === 1 ? (this.#source[start] ?? -1) : -1;
  }

  /** Returns a cell as text, without its quotes. */
  text(index: number): string {
    if (index < 0 || index >= this.#count) return '';
    const text = this.#source.toString('utf8', this.#starts[index], this.#ends[index]);
    return text.includes('"') ? text.replaceAll('""', '"') : text;
  }

  /** Returns whether a cell has exactly the given bytes. */
  equals(index: number, bytes: Buffer): boolean {
    const start = this.#starts[index] ?? 0;
    return this.#source.compare(bytes, 0, bytes.length, start, this.#ends[index] ?? 0) === 0;
  }

  /** Returns a copy of the bytes of a cell. */
  bytes(index: number): Buffer {
    return Buffer.from(this.#source.subarray(this.#starts[index], this.#ends[index]));
  }

  /** Returns a copy of the bytes of the row with its line feed. */
  copy(): Buffer {
    return Buffer.from(this.#source.subarray(this.#start, this.#end));
  }

  #add(start: number, end: number): void {
    const source = this.#source;
    const index = this.#count++;
    if (index === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#ends = grown(this.#ends);
    }
    const hasQuotes = end - start >= 2 && source[start] === QUOTE && source[end - 1] === QUOTE;
    this.#starts[index] = hasQuotes ? start + 1 : start;
    this.#ends[index] = hasQuotes ? end - 1 : end;
  }
}

function grown(list: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(list.length * 2);
  larger.set(list);
  return larger;
}

const [LINE_FEED, RETURN, QUOTE, COMMA] = [0x0a, 0x0d, 0x22, 0x2c];
const EMPTY = Buffer.alloc(0);
