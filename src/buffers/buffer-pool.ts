/** Buffers of one size that serve again: what lives as long as a call has grown old by its end, and V8 collects late what is old. */
export class BufferPool {
  readonly #bytes: number;
  readonly #kept: number;
  readonly #free: Buffer[] = [];

  /**
   * @param bytes the size of each
   * @param kept how many are kept for later at most; others are left to V8
   */
  constructor(bytes: number, kept: number) {
    this.#bytes = bytes;
    this.#kept = kept;
  }

  /** A buffer that nobody else has. What it holds is left from before: it is to be written before it is read. */
  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#bytes);
  }

  /** Takes a buffer back: nobody reads it or writes to it any more. */
  giveBack(buffer: Buffer): void {
    if (this.#free.length < this.#kept) this.#free.push(buffer);
  }
}
