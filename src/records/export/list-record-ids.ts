import { JsonArraySplitter } from '../../gateways/redcap/json-array-splitter.js';
import { IdList } from './id-list.js';
import { JsonIdReader, type OnId } from './row-reader.js';
import { retryRead } from './retry-read.js';
import { chunksOf } from '../streaming/chunks-of.js';
import type { BatchPlan } from './batch-plan.js';

/**
 * Reads the distinct ids of the records in an export, in REDCap's order. It makes one call for one field, with the
 * filter, dates, events and records of the export.
 *
 * @throws {CrfError} errors of `openRecords`, once all retries have failed
 */
export async function listRecordIds(plan: BatchPlan, signal: AbortSignal): Promise<IdList> {
  return retryRead(() => readIds(plan, signal), {
    signal,
    attempts: plan.limits.attempts,
    baseMs: plan.limits.retryBaseMs,
  });
}

async function readIds({ client, selection, idField }: BatchPlan, signal: AbortSignal): Promise<IdList> {
  const { records, events, filterLogic, dateRangeBegin, dateRangeEnd, caller } = selection;
  const body = await client.openRecords({
    format: 'json',
    fields: [idField.name],
    records,
    events,
    filterLogic,
    dateRangeBegin,
    dateRangeEnd,
    caller,
    signal,
  });

  // A record has one row per event and repeat instance.
  const ids = new IdList();
  const add: OnId = (source, start, end) => ids.add(source, start, end);
  const splitter = new JsonArraySplitter();
  const reader = new JsonIdReader(idField.name);
  for await (const chunk of chunksOf(body)) {
    splitter.push(chunk, (source, start, end) => reader.locate(source, start, end, add));
  }
  splitter.end();
  return ids;
}
