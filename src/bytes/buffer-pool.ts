/**
 * Reusable buffers of one size. Buffers that live as long as a call are promoted to the old generation, which V8
 * collects late.
 */
export class BufferPool {
  readonly #bytes: number;
  readonly #kept: number;
  readonly #free: Buffer[] = [];

  /**
   * @param bytes the size of each buffer
   * @param kept the maximum number of free buffers that are kept; V8 collects the others
   */
  constructor(bytes: number, kept: number) {
    this.#bytes = bytes;
    this.#kept = kept;
  }

  /** Returns a buffer for exclusive use. It contains old data, so write to it before reading. */
  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#bytes);
  }

  /** Returns a buffer to the pool. It must no longer be used afterwards. */
  giveBack(buffer: Buffer): void {
    if (this.#free.length < this.#kept) this.#free.push(buffer);
  }
}
