import { createHash } from 'node:crypto';
import type { ImportChange } from '../../gateways/redcap/crf-client.js';
import { MAX_REMEMBERED } from './input-limits.js';

/** What somebody saw before they agreed to a change. */
export interface Seen {
  /** Whether a call is not made at all if one of its changes was not seen; otherwise such changes are left out. */
  readonly isStrict: boolean;
  /**
   * @param creation the change that would create its record
   * @param old the value that is stored now, as `comparable` returns it
   */
  has(change: ImportChange, creation: ImportChange, old: string): boolean;
  /**
   * Notes that a change is stored: a later row of the same input may change the cell, or the new record, again.
   *
   * @param now its value, as `comparable` returns it: an erased checkbox is read back as 0
   */
  addStored(change: ImportChange, now: string): void;
}

/**
 * The changes that somebody saw before they agreed to store them. What is not among them was not seen: the stored value
 * has changed since, or the file has. Memory: a hash for each change, and for each value that was stored since.
 */
export class SeenChanges implements Seen {
  readonly #seen = new Set<string>();
  readonly #stored = new Set<string>();
  #count = 0;

  constructor(readonly isStrict = false) {}

  /** Whether there were more changes than are remembered. */
  get isFull(): boolean {
    return this.#count >= MAX_REMEMBERED;
  }

  add(change: ImportChange): void {
    this.#count++;
    if (this.#seen.size < MAX_REMEMBERED) this.#seen.add(hashOf(change, change.old, change.new));
  }

  addStored(change: ImportChange, now: string): void {
    if (this.#stored.size < MAX_REMEMBERED)
      this.#stored.add(hashOf(change, change.kind === 'new' ? change.new : now));
  }

  has(change: ImportChange, creation: ImportChange, old: string): boolean {
    return (
      this.#seen.has(hashOf(change, change.old, change.new)) ||
      this.#stored.has(hashOf(change, old)) ||
      this.#stored.has(hashOf(creation, creation.new))
    );
  }
}

/** A value may have 64 KB, and a hash has a few bytes. */
function hashOf({ record, event, instance, field }: ImportChange, ...values: readonly string[]): string {
  const cell = JSON.stringify([record, event, instance, field, ...values]);
  return createHash('sha256').update(cell).digest('base64');
}
