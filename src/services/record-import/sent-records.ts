/** How many records of an import are remembered. */
export const MAX_SENT_RECORDS = 1_000_000;

/**
 * Remembers which records an import has sent, so that one whose rows come into several calls is counted once. It keeps
 * eight bytes a record, a hash, of at most a million records; what is beyond them is never taken as sent before.
 */
export class SentRecords {
  /** Open addressing; 0 is a free place. */
  #hashes = new Float64Array(FIRST_PLACES);
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

  #isKnownOrPut(hash: number): boolean {
    const place = placeOf(this.#hashes, hash);
    if (this.#hashes[place] === hash) return true;
    if (this.#size >= MAX_SENT_RECORDS) return false;
    this.#hashes[place] = hash;
    this.#size++;
    if (this.#size * 2 > this.#hashes.length) this.#grow();
    return false;
  }

  #grow(): void {
    const hashes = new Float64Array(this.#hashes.length * 2);
    for (const hash of this.#hashes) if (hash !== 0) hashes[placeOf(hashes, hash)] = hash;
    this.#hashes = hashes;
  }
}

/** The place that has the hash, or the free one where it belongs. At least half of all places are free. */
function placeOf(hashes: Float64Array, hash: number): number {
  const last = hashes.length - 1;
  let place = hash % hashes.length;
  while (hashes[place] !== 0 && hashes[place] !== hash) place = place === last ? 0 : place + 1;
  return place;
}

/** 53 bits (cyrb53): two of a million records fall together once in ten thousand such imports. Never 0. */
function hashOf(text: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 2_654_435_761);
    high = Math.imul(high ^ code, 1_597_334_677);
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0) || 1;
}

const FIRST_PLACES = 1024;
