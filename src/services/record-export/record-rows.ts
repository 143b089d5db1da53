import { hash } from 'node:crypto';
import type { ByteList } from '../../buffers/byte-list.js';

/** The rows of one answer by record, without rows that came twice. */
export class RecordRows {
  readonly #memory: ByteList;
  /** The place of each record that was asked for. */
  readonly #places: ReadonlyMap<string, number>;
  /** By place: the first row of the record, and its last; -1 where it has none. */
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  /** By row: the next row of the same record, of those that have one. */
  readonly #next = new Map<number, number>();
  /** By place: the hashes of the rows of a record that has several. */
  readonly #digests = new Map<number, Set<string>>();
  #size = 0;

  /**
   * @param ids the records that were asked for
   * @param memory where the rows are kept: as long as it is not cleared
   */
  constructor(ids: readonly string[], memory: ByteList) {
    this.#memory = memory;
    this.#places = new Map(ids.map((id, place) => [id, place]));
    this.#first = new Int32Array(ids.length).fill(-1);
    this.#last = new Int32Array(ids.length).fill(-1);
  }

  /** How many records have a row. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds a row, unless the same bytes came before: event and repeat instance tell true rows apart.
   *
   * @returns whether the record was asked for
   */
  add(id: string, source: Buffer, start: number, end: number): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
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

  /** The rows of a record, in the order in which they came. */
  *rowsOf(id: string): Generator<Buffer, void, undefined> {
    let row: number | undefined = this.#firstOf(id);
    if (row === -1) return;
    for (; row !== undefined; row = this.#next.get(row)) yield this.#memory.at(row);
  }

  #firstOf(id: string): number {
    return this.#first[this.#places.get(id) ?? -1] ?? -1;
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
