import { MAX_REMEMBERED } from './input-limits.js';

/**
 * Remembers which records an import has sent, so that a record with rows in several calls is counted once. It remembers
 * at most a million records; further records are never reported as sent.
 */
export class SentRecords {
  readonly #sent = new Set<string>();

  /**
   * Adds the records of one call.
   *
   * @returns the number of distinct records, and those that an earlier call contained
   */
  add(records: Iterable<string>): { readonly distinct: number; readonly known: ReadonlySet<string> } {
    const distinct = new Set(records);
    const known = new Set([...distinct].filter((record) => this.#sent.has(record)));
    for (const record of distinct) if (this.#sent.size < MAX_REMEMBERED) this.#sent.add(record);
    return { distinct: distinct.size, known };
  }
}
