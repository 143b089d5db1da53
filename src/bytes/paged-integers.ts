import { BufferPool } from './buffer-pool.js';

/** The size of a page. */
export const PAGE_BYTES = 64 * 1024;

/** Pages for data that is kept while an export or an import runs. At most 8 MiB are kept for the next one. */
export const PAGES = new BufferPool(PAGE_BYTES, 128);

/**
 * Integers from 0 to 2³² − 1 by position, 0 where none was set. The pages are reused after `release`, so growing copies
 * nothing and leaves nothing for V8 to collect.
 */
export class PagedIntegers {
  readonly #buffers: Buffer[] = [];
  readonly #pages: Uint32Array[] = [];

  /** The number of positions that the pages cover. */
  get capacity(): number {
    return this.#pages.length * PAGE_LENGTH;
  }

  /** Adds pages for the positions below `capacity`. */
  grow(capacity: number): void {
    while (this.capacity < capacity) {
      const buffer = PAGES.take().fill(0);
      this.#buffers.push(buffer);
      this.#pages.push(new Uint32Array(buffer.buffer, buffer.byteOffset, PAGE_LENGTH));
    }
  }

  get(position: number): number {
    return this.#pages[position >>> PAGE_BITS]?.[position & PAGE_MASK] ?? 0;
  }

  /** @param position below `capacity` */
  set(position: number, value: number): void {
    const page = this.#pages[position >>> PAGE_BITS];
    if (page === undefined) throw new RangeError('The position is beyond the capacity.');
    page[position & PAGE_MASK] = value;
  }

  /** Gives the pages back to the pool. The capacity is then 0, and every position reads as 0. */
  release(): void {
    for (const buffer of this.#buffers.splice(0)) PAGES.giveBack(buffer);
    this.#pages.length = 0;
  }
}

const PAGE_BITS = 14;
const PAGE_LENGTH = PAGE_BYTES / 4;
const PAGE_MASK = PAGE_LENGTH - 1;
