import { Hash, HashSet, MAX_HASHES } from './hash-set.js';

/** The maximum number of records that are remembered for an import. */
export const MAX_SENT_RECORDS = MAX_HASHES;

/**
 * Remembers which records an import has sent, so that a record with rows in several calls is counted once. It remembers
 * at most a million records; further records are never reported as sent.
 */
export class SentRecords {
  readonly #hashes = new HashSet();
  readonly #hash = new Hash();

  /**
   * Adds the records of one call.
   *
   * @returns the number of distinct records, and those that an earlier call contained
   */
  add(records: Iterable<string>): { readonly distinct: number; readonly known: ReadonlySet<string> } {
    const distinct = new Set(records);
    const known = new Set<string>();
    for (const record of distinct) if (this.#isKnown(record)) known.add(record);
    return { distinct: distinct.size, known };
  }

  #isKnown(record: string): boolean {
    this.#hash.start();
    this.#hash.addText(record);
    this.#hash.end();
    return this.#hashes.add(this.#hash);
  }
}
