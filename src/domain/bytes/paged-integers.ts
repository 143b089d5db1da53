/**
 * Integers from 0 to 2³² − 1 by position, 0 where none was set. They are kept in pages, so growing copies nothing.
 */
export class PagedIntegers {
  readonly #pages: Uint32Array[] = [];

  /** The number of positions that the pages cover. */
  get capacity(): number {
    return this.#pages.length * PAGE_LENGTH;
  }

  /** Adds pages for the positions below `capacity`. */
  grow(capacity: number): void {
    while (this.capacity < capacity) this.#pages.push(new Uint32Array(PAGE_LENGTH));
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
}

const PAGE_BITS = 14;
const PAGE_LENGTH = 2 ** PAGE_BITS;
const PAGE_MASK = PAGE_LENGTH - 1;
