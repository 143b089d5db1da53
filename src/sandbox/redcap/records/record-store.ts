import type { StoredRecord } from './stored-record.js';

/** The records of a project, in memory. */
export class RecordStore {
  readonly #records = new Map<string, StoredRecord>();
  #ordered: readonly StoredRecord[] | undefined;

  /** @param isSorted whether the records have another order than that of their creation */
  constructor(private readonly isSorted = true) {}

  get(id: string): StoredRecord | undefined {
    return this.#records.get(id);
  }

  set(record: StoredRecord): void {
    this.#ordered = undefined;
    this.#records.set(record.id, record);
  }

  delete(id: string): void {
    if (this.#records.delete(id)) this.#ordered = undefined;
  }

  /** The record IDs, in order of creation. */
  get ids(): string[] {
    return [...this.#records.keys()];
  }

  /** Returns records in natural order: numbers by value, then text. @see docs/protocol/redcap.md 4.3 (client) */
  inOrder(): readonly StoredRecord[] {
    if (this.#ordered !== undefined) return this.#ordered;
    const records = [...this.#records.values()];
    if (this.isSorted) records.sort((left, right) => compareIds(left.id, right.id));
    this.#ordered = records;
    return records;
  }
}

function compareIds(left: string, right: string): number {
  const [leftNumber, rightNumber] = [isNumber(left), isNumber(right)];
  // From 16 digits on, different numbers may be the same to JavaScript.
  if (leftNumber && rightNumber) return Number(left) - Number(right) || Number(BigInt(left) - BigInt(right));
  if (leftNumber !== rightNumber) return leftNumber ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}
