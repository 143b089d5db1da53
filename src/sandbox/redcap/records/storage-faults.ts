import type { StoredRecord } from './stored-record.js';

/** What a REDCap can do to an import that it confirms, and what keeps it from one: for those who read back. */
export class StorageFaults {
  /** Columns whose values are silently not stored. */
  readonly lost = new Set<string>();
  /** The length to which the values of text fields are cut off. */
  maxLength = Infinity;
  /** How many exports after an import are answered by a replica that does not have it yet. */
  lateExports = 0;
  readonly #lockedForms = new Set<string>();
  /** What the replica has of the records that the last import changed; undefined for one that is new. */
  #earlier = new Map<string, StoredRecord | undefined>();
  #lateLeft = 0;

  /** Locks a form of a record, at all of its events. @returns a function that unlocks it */
  lock(record: string, instrument: string): () => void {
    const form = `${record}\n${instrument}`;
    this.#lockedForms.add(form);
    return () => void this.#lockedForms.delete(form);
  }

  isLocked(record: string, instrument: string): boolean {
    return this.#lockedForms.has(`${record}\n${instrument}`);
  }

  /** Notes what an import is about to replace. */
  beforeImport(records: Iterable<readonly [id: string, stored: StoredRecord | undefined]>): void {
    if (this.lateExports === 0) return;
    this.#earlier = new Map(records);
    this.#lateLeft = this.lateExports;
  }

  /** Returns the records as an export has them: of a late replica for some time, then those that are stored. */
  forExport(records: readonly StoredRecord[]): readonly StoredRecord[] {
    if (this.#lateLeft === 0) return records;
    this.#lateLeft--;
    return records.flatMap((record) =>
      this.#earlier.has(record.id) ? (this.#earlier.get(record.id) ?? []) : [record],
    );
  }
}
