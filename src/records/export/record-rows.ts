import { hash } from 'node:crypto';
import type { ByteList } from '../../domain/bytes/byte-list.js';
import type { IdRange } from './id-list.js';

/** The rows of one answer, grouped by record and without duplicates. */
export class RecordRows {
  readonly #memory: ByteList;
  readonly #ids: IdRange;
  /** By index of the record: its first and last row; -1 if it has none. */
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  /** By row: the next row of the same record, if any. */
  readonly #next = new Map<number, number>();
  /** By index of the record: the hashes of its rows, if it has several. */
  readonly #digests = new Map<number, Set<string>>();
  #size = 0;

  /**
   * @param ids the requested records
   * @param memory holds the rows, and must not be cleared while they are in use
   */
  constructor(ids: IdRange, memory: ByteList) {
    this.#memory = memory;
    this.#ids = ids;
    this.#first = new Int32Array(ids.size).fill(-1);
    this.#last = new Int32Array(ids.size).fill(-1);
  }

  /** The number of records that have a row. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds a row unless identical bytes were added before. Distinct rows of a record always differ in event or repeat
   * instance.
   *
   * @returns whether the record was requested
   */
  add(id: string, source: Buffer, start: number, end: number): boolean {
    const place = this.#ids.placeOf(id);
    if (place === -1) return false;
    const last = this.#last[place] ?? -1;
    if (last === -1) {
      this.#size++;
      this.#first[place] = this.#memory.add(source, start, end);
      this.#last[place] = this.#first[place] ?? -1;
    } else if (this.#isNew(place, last, source.subarray(start, end))) {
      const row = this.#memory.add(source, start, end);
      this.#next.set(last, row);
      this.#last[place] = row;
    }
    return true;
  }

  has(id: string): boolean {
    return this.#firstOf(id) !== -1;
  }

  /** Returns the rows of a record in the order in which they were received. */
  rowsOf(id: string): Generator<Buffer, void, undefined> {
    return this.rowsAt(this.#ids.placeOf(id));
  }

  /** Yields the rows of the record at an index among the requested ones. */
  *rowsAt(place: number): Generator<Buffer, void, undefined> {
    let row = this.#first[place];
    if (row === -1) return;
    for (; row !== undefined; row = this.#next.get(row)) yield this.#memory.at(row);
  }

  #firstOf(id: string): number {
    return this.#first[this.#ids.placeOf(id)] ?? -1;
  }

  #isNew(place: number, first: number, row: Buffer): boolean {
    const digests = this.#digests.get(place) ?? new Set([digestOf(this.#memory.at(first))]);
    this.#digests.set(place, digests);
    const digest = digestOf(row);
    if (digests.has(digest)) return false;
    digests.add(digest);
    return true;
  }
}

function digestOf(row: Buffer): string {
  return hash('sha256', row, 'base64');
}
