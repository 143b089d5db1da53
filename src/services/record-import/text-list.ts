/**
 * Texts in order, kept as UTF-8 in memory that serves again after `clear`: strings that wait for the answer of a call
 * have grown old by then, and V8 collects late what is old.
 */
export class TextList implements Iterable<string> {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #ends = new Uint32Array(FIRST_TEXTS);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @param text without half of a surrogate pair, which UTF-8 cannot carry */
  add(text: string): void {
    const start = this.#endOf(this.#length - 1);
    // No code unit takes more than three bytes.
    if (start + text.length * 3 > this.#bytes.length) this.#growBytes(start + text.length * 3);
    if (this.#length === this.#ends.length) this.#growEnds();
    this.#ends[this.#length++] = start + this.#bytes.write(text, start, 'utf8');
  }

  *[Symbol.iterator](): Generator<string, void, undefined> {
    for (let at = 0; at < this.#length; at++) {
      yield this.#bytes.toString('utf8', this.#endOf(at - 1), this.#endOf(at));
    }
  }

  clear(): void {
    this.#length = 0;
  }

  #endOf(at: number): number {
    return at < 0 ? 0 : (this.#ends[at] ?? 0);
  }

  #growBytes(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }

  #growEnds(): void {
    const larger = new Uint32Array(this.#ends.length * 2);
    larger.set(this.#ends);
    this.#ends = larger;
  }
}

const FIRST_TEXTS = 512;
const FIRST_BYTES = 32 * FIRST_TEXTS;
