import { ImportIncompleteError } from '../../errors/upstream-errors.js';
import type { ImportResult } from '../../gateways/redcap/crf-client.js';
import type { ImportRequest } from './import-request.js';
import { countRecords } from './shared-records.js';

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
