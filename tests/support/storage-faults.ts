import type { RecordStore, StoredRecord } from '../../src/sandbox/redcap/records/record-store.js';

/** What a REDCap does to the values of an import that it confirms. */
interface ValueFaults {
  /** A column whose values are silently not stored. */
  readonly lost: string;
  /** The length to which other values are cut off. */
  readonly maxLength?: number;
}

/** Makes a sandbox store the values of imports with faults. */
export function storeBadly(records: RecordStore, { lost, maxLength = Infinity }: ValueFaults): void {
  const store = records.set.bind(records);
  records.set = (record) => {
    const before = records.get(record.id);
    for (const row of record.rows) {
      for (const [name, value] of row.values) row.values.set(name, value.slice(0, maxLength));
      const kept = before?.row(row)?.values.get(lost);
      if (kept === undefined) row.values.delete(lost);
      else row.values.set(lost, kept);
    }
    store(record);
  };
}

/** Lets a replica that does not have an import yet answer a number of exports after it. */
export function delayExports(records: RecordStore, count: number): void {
  const store = records.set.bind(records);
  const stored = records.inOrder.bind(records);
  let [earlier, left]: [readonly StoredRecord[], number] = [[], 0];
  records.set = (record) => {
    if (left === 0) [earlier, left] = [stored(), count];
    store(record);
  };
  records.inOrder = () => {
    if (left === 0) return stored();
    left--;
    return earlier;
  };
}
