import { PagedIntegers } from '../../domain/bytes/paged-integers.js';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';

/**
 * A list of distinct record ids in insertion order. The ids are stored as bytes in pages, about 50 bytes per id. A `Set`
 * of strings would grow the heap by tens of megabytes for 100,000 ids, and V8
 * collects objects late that live as long as an export.
 */
export class IdList {
  readonly #pages: Buffer[] = [];
  /** Start of the free part of the last page. */
  #end = PAGE_BYTES;
  /** By position of the id: its page and its offset there, combined in one number, and its length. */
  readonly #starts = new PagedIntegers();
  readonly #lengths = new PagedIntegers();
  /** A hash table with open addressing. It contains the position of an id plus one, and is at most half full. */
  #table = new PagedIntegers();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /**
   * Adds the id whose UTF-8 bytes are those of `source` from `start` to `end` (exclusive), unless the list contains it.
   *
   * @throws {UpstreamInvalidError} it is longer than any record id
   */
  add(source: Buffer, start = 0, end = source.length): void {
    if (end - start > PAGE_BYTES) throw new UpstreamInvalidError(TOO_LONG);
    if (this.#length * 2 >= this.#table.capacity) this.#growTable();
    const slot = this.#slotOf(source, start, end);
    if (this.#table.get(slot) !== 0) return;
    this.#append(source, start, end);
    this.#table.set(slot, this.#length);
  }

  /** Returns the ids from one position to another (exclusive). */
  slice(from: number, to: number): string[] {
    const ids: string[] = [];
    for (let at = from; at < Math.min(to, this.#length); at++) ids.push(this.at(at));
    return ids;
  }

  /** Returns the id at a position below `length`. */
  at(position: number): string {
    const begin = this.#starts.get(position) % PAGE_BYTES;
    return this.#pageOf(position).toString('utf8', begin, begin + this.#lengths.get(position));
  }

  /** Returns the position of an id, or -1 if the list does not contain it. */
  positionOf(id: string): number {
    if (this.#length === 0) return -1;
    const bytes = Buffer.from(id);
    return this.#table.get(this.#slotOf(bytes, 0, bytes.length)) - 1;
  }

  /** Returns the slot of an id in the table, or the free slot where it belongs. */
  #slotOf(source: Buffer, start: number, end: number): number {
    const mask = this.#table.capacity - 1;
    let slot = hashOf(source, start, end) & mask;
    for (;;) {
      const position = this.#table.get(slot) - 1;
      if (position < 0 || this.#isAt(position, source, start, end)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isAt(position: number, source: Buffer, start: number, end: number): boolean {
    const length = this.#lengths.get(position);
    if (length !== end - start) return false;
    const from = this.#starts.get(position) % PAGE_BYTES;
    return source.compare(this.#pageOf(position), from, from + length, start, end) === 0;
  }

  #pageOf(position: number): Buffer {
    return this.#pages[Math.floor(this.#starts.get(position) / PAGE_BYTES)] ?? NO_PAGE;
  }

  #append(source: Buffer, start: number, end: number): void {
    if (this.#end + end - start > PAGE_BYTES) {
      this.#pages.push(Buffer.allocUnsafeSlow(PAGE_BYTES));
      this.#end = 0;
    }
    const page = this.#pages.length - 1;
    this.#starts.grow(this.#length + 1);
    this.#lengths.grow(this.#length + 1);
    this.#starts.set(this.#length, page * PAGE_BYTES + this.#end);
    this.#lengths.set(this.#length, end - start);
    this.#end += source.copy(this.#pages[page] ?? NO_PAGE, this.#end, start, end);
    this.#length++;
  }

  #growTable(): void {
    const larger = new PagedIntegers();
    larger.grow(this.#table.capacity * 2 || 1);
    this.#table = larger;
    for (let position = 0; position < this.#length; position++) {
      const from = this.#starts.get(position) % PAGE_BYTES;
      const slot = this.#slotOf(this.#pageOf(position), from, from + this.#lengths.get(position));
      this.#table.set(slot, position + 1);
    }
  }
}

/** Computes the FNV-1a hash. */
function hashOf(source: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (source[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** The size of a page. */
const PAGE_BYTES = 64 * 1024;
const NO_PAGE = Buffer.alloc(0);
const TOO_LONG = 'REDCap listed a record id that is longer than any record id.';

/**
 * Consecutive ids of a list. They become strings only where they are read: the strings of a batch would live as long as
 * its call, and V8 collects old objects late.
 */
export class IdRange implements Iterable<string> {
  readonly #list: IdList;
  readonly #from: number;
  readonly #to: number;
  /** The position after that of the id found last. */
  #next: number;

  constructor(list: IdList, from: number, to: number) {
    this.#list = list;
    this.#from = from;
    this.#next = from;
    this.#to = Math.min(to, list.length);
  }

  /** Makes a range with a list of its own, for a few ids. */
  static of(ids: readonly string[]): IdRange {
    const list = new IdList();
    for (const id of ids) list.add(Buffer.from(id));
    return new IdRange(list, 0, list.length);
  }

  get size(): number {
    return Math.max(0, this.#to - this.#from);
  }

  /** Returns the index of an id in the range, or -1 if the range does not contain it. */
  placeOf(id: string): number {
    const position = this.#isNext(id) ? this.#next : this.#list.positionOf(id);
    if (position < this.#from || position >= this.#to) return -1;
    this.#next = position + 1;
    return position - this.#from;
  }

  /** REDCap answers in the order of the list, so most ids need no lookup. */
  #isNext(id: string): boolean {
    return this.#next < this.#to && this.#list.at(this.#next) === id;
  }

  /** Returns the id at an index below `size`. */
  at(place: number): string {
    return this.#list.at(this.#from + place);
  }

  /** Returns the ids from `from` up to, but not including, `to`. */
  part(from: number, to: number): IdRange {
    return new IdRange(this.#list, this.#from + from, Math.min(this.#from + to, this.#to));
  }

  *[Symbol.iterator](): Generator<string, void, undefined> {
    for (let at = this.#from; at < this.#to; at++) yield this.#list.at(at);
  }
}
