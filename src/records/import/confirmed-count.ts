import { ImportIncompleteError } from '../../domain/errors/upstream-errors.js';
import type { ImportResult } from '../../gateways/redcap/crf-client.js';
import type { ImportRequest } from './import-request.js';

/**
 * Compares REDCap's answer to a call with the records of the call, `sent` of them. It counts each of them once, changed or not; with
 * `returnContent: 'ids'` it names them. For a background import it answers nothing that could be compared.
 *
 * @throws {ImportIncompleteError} the answer does not confirm every record; of its call, nothing is known to be stored
 * @see docs/protocol/redcap.md 5.2, 5.6 (client)
 */
export function checkCount(
  answer: ImportResult,
  records: Iterable<string>,
  sent: number,
  { backgroundProcess, forceAutoNumber, returnContent }: ImportRequest,
): void {
  if (answer.isQueued && backgroundProcess) return;
  const counted = new Set(answer.ids).size || answer.count;
  if (counted === sent && !namesOthers(answer, records, forceAutoNumber ? undefined : returnContent)) return;
  // Names that REDCap may take for the same record.
  if (counted < sent && counted === countRecords(records)) return;
  throw new ImportIncompleteError(0, 0, { sent, counted }, { doubtful: [{ from: 0, to: sent }] });
}

/** @returns whether REDCap names a record that was not sent */
function namesOthers(
  { ids }: ImportResult,
  records: Iterable<string>,
  returnContent: ImportRequest['returnContent'],
): boolean {
  if (ids === undefined || returnContent !== 'ids') return false;
  return countRecords([...records, ...ids]) > countRecords(records);
}

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
