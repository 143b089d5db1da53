import { PagedIntegers } from '../../memory/paged-integers.js';

/** How many records of an import are remembered. */
export const MAX_SENT_RECORDS = 1_000_000;

/**
 * Remembers which records an import has sent, so that one whose rows come into several calls is counted once. It keeps
 * a hash of 64 bits a record, of at most a million records; what is beyond them is never taken as sent before.
 */
export class SentRecords {
  /** The halves of the hashes. Open addressing; a place is free where both are 0. */
  #low = new PagedIntegers();
  #high = new PagedIntegers();
  #size = 0;

  /**
   * Takes the records of one call.
   *
   * @returns each of them once, and those that an earlier call had
   */
  add(records: Iterable<string>): { readonly distinct: number; readonly known: ReadonlySet<string> } {
    const distinct = new Set(records);
    const known = new Set<string>();
    for (const record of distinct) if (this.#isKnownOrPut(hashOf(record))) known.add(record);
    return { distinct: distinct.size, known };
  }

  /** Gives its memory back: nothing is remembered from here on. */
  release(): void {
    this.#low.release();
    this.#high.release();
    this.#size = 0;
  }

  #isKnownOrPut(hash: Hash): boolean {
    if (this.#size * 2 >= this.#low.capacity) this.#grow();
    const place = this.#placeOf(hash);
    if (!this.#isFree(place)) return true;
    if (this.#size >= MAX_SENT_RECORDS) return false;
    this.#put(place, hash);
    this.#size++;
    return false;
  }

  /** The place that has the hash, or the free one where it belongs. At least half of all places are free. */
  #placeOf({ low, high }: Hash): number {
    const mask = this.#low.capacity - 1;
    let place = low & mask;
    while (!this.#isFree(place) && (this.#low.get(place) !== low || this.#high.get(place) !== high)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  #isFree(place: number): boolean {
    return this.#low.get(place) === 0 && this.#high.get(place) === 0;
  }

  #put(place: number, { low, high }: Hash): void {
    this.#low.set(place, low);
    this.#high.set(place, high);
  }

  #grow(): void {
    const [low, high] = [this.#low, this.#high];
    this.#low = new PagedIntegers();
    this.#high = new PagedIntegers();
    // Pages are whole powers of two, and so is what they hold together.
    this.#low.grow(low.capacity * 2 || 1);
    this.#high.grow(low.capacity * 2 || 1);
    for (let place = 0; place < low.capacity; place++) {
      const hash = { low: low.get(place), high: high.get(place) };
      if (hash.low !== 0 || hash.high !== 0) this.#put(this.#placeOf(hash), hash);
    }
    low.release();
    high.release();
  }
}

interface Hash {
  readonly low: number;
  readonly high: number;
}

/** 64 bits (cyrb53, without dropping any): two of a million records fall together once in tens of millions of imports. Never 0. */
function hashOf(text: string): Hash {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 2_654_435_761);
    high = Math.imul(high ^ code, 1_597_334_677);
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return { low: low >>> 0 || 1, high: high >>> 0 };
}
