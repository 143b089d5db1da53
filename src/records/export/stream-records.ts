import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { refuseAborted } from '../../gateways/redcap/cancellation.js';
import type { ExportProgress, RecordRow, StreamRecordsOptions } from '../../gateways/redcap/crf-client.js';
import { exportInBatches } from './batched-export.js';
import {
  batchesFor,
  planBatches,
  wholeNumber,
  type BatchClient,
  type BatchLimits,
  type BatchPlan,
} from './batch-plan.js';
import { MAX_CONCURRENCY } from '../../gateways/redcap/record-export-options.js';
import { parseRow } from '../formats/parse-row.js';
import { JsonArraySplitter } from '../../gateways/redcap/json-array-splitter.js';
import { chunksOf } from '../streaming/chunks-of.js';
import { openWholeExport } from './whole-export.js';

type OnProgress = ((progress: ExportProgress) => void) | undefined;

/**
 * Yields rows one by one in REDCap's order. The first call is made when the first row is requested. Leaving the loop
 * cancels the calls in progress, and after an abort the next row is an error.
 *
 * Memory: a chunk of REDCap's answer, or with `batchSize` the batches that `exportInBatches` holds. `onProgress` is
 * called after each batch. Without batches it is called after each chunk, and `records` then counts rows.
 *
 * @throws {CrfError} errors of `openRecords`; with batches also `IncompleteExportError`, and `InvalidRequestError` if
 *   the selection lacks the record id
 */
export async function* streamRecords(
  client: BatchClient,
  options: StreamRecordsOptions = {},
): AsyncGenerator<RecordRow, void, undefined> {
  const { limit, ...rest } = options;
  let left = limit ?? Infinity;
  wholeNumber('concurrency', options.concurrency ?? 1, MAX_CONCURRENCY);
  const groups = rowBytes(client, { ...rest, ...batchesFor(limit) });
  // Not delegated to another generator, which would cost several promises for each row.
  for await (const group of groups)
    for (const row of group) {
      yield parseRow(row);
      refuseAborted(options.signal);
      if (--left === 0) return;
    }
}

/** The options of `streamRecords`, with a limit of records in place of one of rows. */
type RowBytesOptions = Omit<StreamRecordsOptions, 'limit'> & Pick<BatchLimits, 'recordLimit'>;

/**
 * Yields the rows of `streamRecords`, each as the bytes of one JSON object, in groups of about 64 KiB. The bytes
 * are valid until the next group is requested.
 */
async function* rowBytes(
  client: BatchClient,
  options: RowBytesOptions,
): AsyncGenerator<readonly Buffer[], void, undefined> {
  const { onProgress, ...rest } = options;
  const selection = { ...rest, format: 'json' as const };
  if (selection.batchSize !== undefined) {
    yield* groupsInBatches(await planBatches(client, selection), onProgress);
    return;
  }
  const whole = await openWholeExport(client, selection);
  if ('body' in whole) yield* groupsOf(whole.body, onProgress);
  else yield* groupsInBatches(whole.plan, onProgress);
}

async function* groupsInBatches(plan: BatchPlan, onProgress: OnProgress): AsyncGenerator<readonly Buffer[]> {
  for await (const batch of exportInBatches(plan, onProgress)) {
    let [group, size]: [Buffer[], number] = [[], 0];
    for (const row of batch.rows) {
      group.push(row);
      size += row.length;
      if (size < GROUP_BYTES) continue;
      yield group;
      [group, size] = [[], 0];
      await setImmediate(); // a batch may have ten thousand records, and other requests wait
    }
    yield group;
  }
}

async function* groupsOf(body: Readable, onProgress: OnProgress): AsyncGenerator<readonly Buffer[]> {
  const splitter = new JsonArraySplitter();
  let records = 0;
  let bytes = 0;
  for await (const chunk of chunksOf(body))
    for (let at = 0; at < chunk.length; at += GROUP_BYTES) {
      const part = chunk.subarray(at, at + GROUP_BYTES);
      const rows: Buffer[] = [];
      splitter.push(part, (source, start, end) => rows.push(source.subarray(start, end)));
      yield rows;
      records += rows.length;
      bytes += part.length;
      onProgress?.({ records, bytes });
      await setImmediate(); // much may be there already, and other requests wait
    }
  splitter.end();
}

const GROUP_BYTES = 64 * 1024;
