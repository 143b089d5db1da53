import type { ImportChange } from '../../gateways/redcap/crf-client.js';
import { Hash, HashSet, MAX_HASHES } from './hash-set.js';

/** What somebody saw before they agreed to a change. */
export interface Seen {
  /** Whether a call is not made at all if one of its changes was not seen; otherwise such changes are left out. */
  readonly isStrict: boolean;
  /** @param creation the change that would create its record */
  has(change: ImportChange, creation: ImportChange): boolean;
  /** Notes that a change is stored: a later row of the same input may change the cell, or the new record, again. */
  addStored(change: ImportChange): void;
}

/**
 * The changes that somebody saw before they agreed to store them. What is not among them was not seen: the stored value
 * has changed since, or the file has. Memory: a hash for each change, and for each value that was stored since.
 */
export class SeenChanges implements Seen {
  readonly #seen = new HashSet();
  readonly #stored = new HashSet();
  readonly #hash = new Hash();
  #count = 0;

  constructor(readonly isStrict = false) {}

  /** Whether there were more changes than are remembered. */
  get isFull(): boolean {
    return this.#count >= MAX_HASHES;
  }

  add(change: ImportChange): void {
    this.#count++;
    this.#seen.add(this.#hashOf(change, change.old, change.new));
  }

  addStored(change: ImportChange): void {
    this.#stored.add(this.#hashOf(change, change.new));
  }

  has(change: ImportChange, creation: ImportChange): boolean {
    return (
      this.#seen.has(this.#hashOf(change, change.old, change.new)) ||
      this.#stored.has(this.#hashOf(change, change.old)) ||
      this.#stored.has(this.#hashOf(creation, creation.new))
    );
  }

  #hashOf({ record, event, instance, field }: ImportChange, ...values: readonly string[]): Hash {
    this.#hash.start();
    for (const text of [record, event, `${instance ?? ''}`, field, ...values]) {
      this.#hash.addText(text);
      this.#hash.addCode(END);
    }
    this.#hash.end();
    return this.#hash;
  }
}

/** Not a code unit of any text. */
const END = 0x1_0000;
