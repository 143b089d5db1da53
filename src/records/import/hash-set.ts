import { PagedIntegers } from '../../bytes/paged-integers.js';

/** The maximum number of hashes stored. */
export const MAX_HASHES = 1_000_000;

/**
 * A 64-bit hash, computed incrementally. Among a million hashes, a collision is expected once in tens of millions of
 * imports.
 */
export class Hash {
  /** The two halves. After `end` at least one of them is not 0. */
  low = 0;
  high = 0;

  start(): void {
    this.low = 0xdeadbeef;
    this.high = 0x41c6ce57;
  }

  /** Adds the code units of a text. For ASCII they equal its bytes. */
  addText(text: string): void {
    let { low, high } = this;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      low = Math.imul(low ^ code, 2_654_435_761);
      high = Math.imul(high ^ code, 1_597_334_677);
    }
    this.low = low;
    this.high = high;
  }

  addCode(code: number): void {
    this.low = Math.imul(this.low ^ code, 2_654_435_761);
    this.high = Math.imul(this.high ^ code, 1_597_334_677);
  }

  /** Mixes the halves (cyrb53, without dropping any bit). */
  end(): void {
    let { low, high } = this;
    low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
    high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
    this.low = low >>> 0 || 1;
    this.high = high >>> 0;
  }
}

/**
 * A set of at most a million hashes, as numbers instead of objects. Hashes beyond the limit are never reported as known.
 */
export class HashSet {
  /** The halves of the hashes, with open addressing. A slot is free if both halves are 0. */
  #low = new PagedIntegers();
  #high = new PagedIntegers();
  #size = 0;

  /** Adds a hash. @returns whether it was already known */
  add({ low, high }: Hash): boolean {
    if (this.#size * 2 >= this.#low.capacity) this.#grow();
    const place = this.#placeOf(low, high);
    if (!this.#isFree(place)) return true;
    if (this.#size >= MAX_HASHES) return false;
    this.#put(place, low, high);
    this.#size++;
    return false;
  }

  has({ low, high }: Hash): boolean {
    return this.#size > 0 && !this.#isFree(this.#placeOf(low, high));
  }

  /** Returns the slot of a hash, or the free slot where it belongs. At least half of the slots are free. */
  #placeOf(low: number, high: number): number {
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

  #put(place: number, low: number, high: number): void {
    this.#low.set(place, low);
    this.#high.set(place, high);
  }

  #grow(): void {
    const [lows, highs] = [this.#low, this.#high];
    this.#low = new PagedIntegers();
    this.#high = new PagedIntegers();
    // The size of a page is a power of two, and so is the total capacity.
    this.#low.grow(lows.capacity * 2 || 1);
    this.#high.grow(lows.capacity * 2 || 1);
    for (let place = 0; place < lows.capacity; place++) {
      const [low, high] = [lows.get(place), highs.get(place)];
      if (low !== 0 || high !== 0) this.#put(this.#placeOf(low, high), low, high);
    }
  }
}
