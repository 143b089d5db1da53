import { Hash, HashSet, MAX_HASHES } from './hash-set.js';

/** How many records of an import are remembered. */
export const MAX_SENT_RECORDS = MAX_HASHES;

/**
 * Remembers which records an import has sent, so that one whose rows come into several calls is counted once: of at most a
 * million records; what is beyond them is never taken as sent before.
 */
export class SentRecords {
  readonly #hashes = new HashSet();
  readonly #hash = new Hash();

  /**
   * Takes the records of one call.
   *
   * @returns each of them once, and those that an earlier call had
   */
  add(records: Iterable<string>): { readonly distinct: number; readonly known: ReadonlySet<string> } {
    const distinct = new Set(records);
    const known = new Set<string>();
    for (const record of distinct) if (this.#isKnown(record)) known.add(record);
    return { distinct: distinct.size, known };
  }

  /** Gives its memory back: nothing is remembered from here on. */
  release(): void {
    this.#hashes.release();
  }

  #isKnown(record: string): boolean {
    this.#hash.start();
    this.#hash.addText(record);
    this.#hash.end();
    return this.#hashes.add(this.#hash);
  }
}
