/**
 * Returns whether any record is in both lists. Names are compared without case and accents, as REDCap's database may
 * do.
 */
export function haveSharedRecord(one: Iterable<string>, others: Iterable<Iterable<string>>): boolean {
  const names = new Set<string>();
  for (const record of one) names.add(folded(record));
  for (const other of others) for (const record of other) if (names.has(folded(record))) return true;
  return false;
}

/** @returns the number of records, if names that differ only in case, accents or outer blanks are the same record */
export function countRecords(records: Iterable<string>): number {
  const names = new Set<string>();
  for (const record of records) names.add(foldedRecord(record));
  return names.size;
}

/** Returns a name without what REDCap may ignore: case, accents and outer blanks. */
export function foldedRecord(record: string): string {
  return folded(record.trim());
}

function folded(record: string): string {
  const text = ASCII.test(record) ? record : record.normalize('NFKD').replace(MARKS, '');
  return text.toUpperCase();
}

const ASCII = /^[\x20-\x7e]*$/;
const MARKS = /\p{M}/gu;
