import { IdList } from './id-list.js';

/**
 * Consecutive ids of a list, valid until the list is released. They become strings only where they are read: the
 * strings of a batch would live as long as its call, and V8 collects old objects late.
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

  /** Makes a range with a list of its own, for a few ids. Release it when it is no longer needed. */
  static of(ids: readonly string[]): IdRange {
    const list = new IdList();
    for (const id of ids) list.add(Buffer.from(id));
    return new IdRange(list, 0, list.length);
  }

  /** Releases the list of a range made by `of`. The list of any other range belongs to whoever made the list. */
  release(): void {
    this.#list.release();
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
