/**
 * Record ids, each once, in the order in which they were added. They are kept as bytes in one buffer, some 40 bytes an
 * id: a `Set` of strings makes the heap grow by tens of megabytes at 100,000 ids, and it does not shrink again.
 */
export class IdList {
  #bytes = Buffer.allocUnsafeSlow(64 * 1024);
  /** Where each id begins; one more than there are ids. */
  #starts = new Uint32Array(1024);
  /** Open addressing: the position of an id, plus one. Never more than half full. */
  #table = new Int32Array(2048);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds the id whose UTF-8 is that of `source` from `start` up to, without, `end`, unless it is there. */
  add(source: Buffer, start = 0, end = source.length): void {
    const slot = this.#slotOf(source, start, end);
    if (this.#table[slot] !== 0) return;
    this.#append(source, start, end);
    this.#table[slot] = this.#length;
    if (this.#length * 2 >= this.#table.length) this.#growTable();
  }

  /** The ids from one position up to, without, another. */
  slice(from: number, to: number): string[] {
    const ids: string[] = [];
    for (let at = from; at < Math.min(to, this.#length); at++) {
      ids.push(this.#bytes.toString('utf8', this.#starts[at], this.#starts[at + 1]));
    }
    return ids;
  }

  /** The place of an id in the table, or the free one where it belongs. */
  #slotOf(source: Buffer, start: number, end: number): number {
    const mask = this.#table.length - 1;
    let slot = hashOf(source, start, end) & mask;
    for (;;) {
      const position = (this.#table[slot] ?? 0) - 1;
      if (position < 0 || this.#isAt(position, source, start, end)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isAt(position: number, source: Buffer, start: number, end: number): boolean {
    const from = this.#starts[position] ?? 0;
    const to = this.#starts[position + 1] ?? 0;
    return to - from === end - start && source.compare(this.#bytes, from, to, start, end) === 0;
  }

  #append(source: Buffer, start: number, end: number): void {
    const from = this.#starts[this.#length] ?? 0;
    const to = from + end - start;
    if (to > this.#bytes.length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(to, this.#bytes.length * 2));
      this.#bytes.copy(bytes, 0, 0, from);
      this.#bytes = bytes;
    }
    if (this.#length + 2 > this.#starts.length) {
      const starts = new Uint32Array(this.#starts.length * 2);
      starts.set(this.#starts);
      this.#starts = starts;
    }
    source.copy(this.#bytes, from, start, end);
    this.#starts[++this.#length] = to;
  }

  #growTable(): void {
    this.#table = new Int32Array(this.#table.length * 2);
    for (let position = 0; position < this.#length; position++) {
      const slot = this.#slotOf(this.#bytes, this.#starts[position] ?? 0, this.#starts[position + 1] ?? 0);
      this.#table[slot] = position + 1;
    }
  }
}

/** FNV-1a. */
function hashOf(source: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (source[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
