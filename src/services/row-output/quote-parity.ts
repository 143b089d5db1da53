/**
 * Determines whether part of a chunk contains an odd number of quotes. It processes four bytes at a time. If many cells
 * are quoted, this takes a sixth of the time of searching for each quote.
 */
export class QuoteParity {
  readonly #bytes: Buffer;
  readonly #words: Int32Array;
  /** Offset of the first word in the chunk. */
  readonly #firstWord: number;

  constructor(chunk: Buffer) {
    this.#bytes = chunk;
    this.#firstWord = -chunk.byteOffset & (WORD_BYTES - 1);
    const words = Math.max(0, (chunk.length - this.#firstWord) >> WORD_SHIFT);
    this.#words = new Int32Array(chunk.buffer, words === 0 ? 0 : chunk.byteOffset + this.#firstWord, words);
  }

  /** Checks the bytes from `start` to `end` (exclusive). */
  isOdd(start: number, end: number): boolean {
    const from = Math.max(0, (start - this.#firstWord + WORD_BYTES - 1) >> WORD_SHIFT);
    const to = (end - this.#firstWord) >> WORD_SHIFT;
    if (to <= from) return this.#isOddByByte(start, end);
    const before = this.#isOddByByte(start, this.#firstWord + from * WORD_BYTES);
    const after = this.#isOddByByte(this.#firstWord + to * WORD_BYTES, end);
    return (this.#isOddByWord(from, to) !== before) !== after;
  }

  /**
   * Computes the parity of words. In `word`, the byte of a quote is 0. Every other byte gets its top bit set, and the
   * four top bits are added separately without carry. A word has an even number of bytes, so the number of quotes is
   * odd if and only if the number of other bytes is odd.
   */
  #isOddByWord(from: number, to: number): boolean {
    const words = this.#words;
    let sum = 0;
    for (let at = from; at < to; at++) {
      const word = (words[at] ?? 0) ^ FOUR_QUOTES;
      sum ^= ((word & LOW_BITS) + LOW_BITS) | word;
    }
    const folded = sum ^ (sum >>> 16);
    return ((folded ^ (folded >>> 8)) & TOP_BIT) !== 0;
  }

  #isOddByByte(start: number, end: number): boolean {
    let isOdd = false;
    for (let at = start; at < end; at++) if (this.#bytes[at] === QUOTE) isOdd = !isOdd;
    return isOdd;
  }
}

const QUOTE = 0x22;
const WORD_BYTES = 4;
const WORD_SHIFT = 2;
const FOUR_QUOTES = 0x22222222;
const LOW_BITS = 0x7f7f7f7f;
const TOP_BIT = 0x80;
