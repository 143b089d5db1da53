/**
 * Whether some record is named in both lists. Names that a database may take for one are one here, too: REDCap's
 * compares without regard to case and accents. Nothing is kept of either list.
 */
export function haveSharedRecord(one: Iterable<string>, others: Iterable<Iterable<string>>): boolean {
  const names = new Set<string>();
  for (const record of one) names.add(folded(record));
  for (const other of others) for (const record of other) if (names.has(folded(record))) return true;
  return false;
}

function folded(record: string): string {
  const text = ASCII.test(record) ? record : record.normalize('NFKD').replace(MARKS, '');
  return text.toUpperCase();
}

const ASCII = /^[\x20-\x7e]*$/;
const MARKS = /\p{M}/gu;
