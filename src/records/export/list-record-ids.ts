import { recordIdOf } from '../../gateways/redcap/record-row.js';
import { parseRow } from '../formats/parse-row.js';
import { retryRead } from './retry-read.js';
import { jsonRowsOf } from '../streaming/chunks-of.js';
import type { BatchPlan } from './batch-plan.js';

/**
 * Reads the distinct ids of the records in an export, in REDCap's order. It makes one call for one field, with the
 * filter, dates, events and records of the export.
 *
 * @throws {CrfError} errors of `openRecords`, once all retries have failed
 */
export async function listRecordIds(plan: BatchPlan, signal: AbortSignal): Promise<readonly string[]> {
  return retryRead(() => readIds(plan, signal), {
    signal,
    attempts: plan.limits.attempts,
    baseMs: plan.limits.retryBaseMs,
  });
}

async function readIds({ client, selection, idField }: BatchPlan, signal: AbortSignal): Promise<string[]> {
  const { records, events, filterLogic, from, until, caller } = selection;
  const body = await client.openRecords({
    format: 'json',
    fields: [idField.name],
    records,
    events,
    filterLogic,
    from,
    until,
    caller,
    signal,
  });

  // A record has one row per event and repeat instance.
  const ids = new Set<string>();
  for await (const rows of jsonRowsOf(body))
    for (const row of rows) ids.add(recordIdOf(parseRow(row), idField.name));
  return [...ids];
}
