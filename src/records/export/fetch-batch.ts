import { IncompleteExportError, UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import type { BatchPlan } from './batch-plan.js';
import { BatchRows, type AnswerRows, type ByteListPool } from './batch-rows.js';
import { IdRange } from './id-list.js';
import { RecordRows } from './record-rows.js';
import { retryRead } from './retry-read.js';
import { HashedIdsError, isHash } from '../rules/hashed-ids.js';
import { chunksOf } from '../streaming/chunks-of.js';
import { rowReaderFor } from './row-reader.js';

/** A complete batch: it contains the rows of every requested record. */
export interface FetchedBatch {
  /** In the order of the ids. */
  readonly rows: BatchRows;
  readonly header: Buffer | undefined;
  readonly records: number;
  readonly bytes: number;
}

/** A batch that is too large for this service or for REDCap. Its records must be requested in smaller parts. */
export interface OversizedBatch {
  readonly recordsAPart: number;
}

/** Whether a batch has to be split. */
export function isOversized(batch: FetchedBatch | OversizedBatch): batch is OversizedBatch {
  return 'recordsAPart' in batch;
}

/**
 * Fetches the rows of some records and checks that exactly these records are present. Missing records are requested
 * once more.
 *
 * @throws {IncompleteExportError} records are still missing; `missing` names at most 100
 * @throws {HashedIdsError} REDCap knows none of the ids it listed, because it hashes them for this token
 * @throws {UpstreamInvalidError} the answer contains a record that was not requested, or a single record is too large
 */
export async function fetchBatch(
  plan: BatchPlan,
  ids: IdRange,
  pool: ByteListPool,
  signal: AbortSignal,
): Promise<FetchedBatch | OversizedBatch> {
  const read = { plan, pool, signal };
  const first = await readRetried(read, ids, plan.limits.maxBatchBytes);
  if (isTooMuch(first)) return splitOf(first, ids);
  if (first.rows.size === ids.size) return toBatch(ids, [first]);

  const missing = [...ids].filter((id) => !first.rows.has(id));
  if (missing.length === ids.size && missing.every(isHash)) throw new HashedIdsError('batchSize');
  const missingIds = IdRange.of(missing);
  const second = await readRetried(read, missingIds, plan.limits.maxBatchBytes - first.bytes);
  if (isTooMuch(second)) return splitOf(second, ids);
  const stillMissing = missing.filter((id) => !second.rows.has(id));
  if (stillMissing.length > 0) throw new IncompleteExportError(stillMissing.slice(0, 100));
  return toBatch(ids, [first, second]);
}

interface Answer extends AnswerRows {
  readonly header: Buffer | undefined;
  readonly bytes: number;
}

/** The number of records received before the answer became too large. */
interface TooMuch {
  readonly recordsSeen: number;
}

function isTooMuch(answer: Answer | TooMuch): answer is TooMuch {
  return 'recordsSeen' in answer;
}

interface BatchRead {
  readonly plan: BatchPlan;
  readonly pool: ByteListPool;
  readonly signal: AbortSignal;
}

async function readRetried(read: BatchRead, ids: IdRange, maxBytes: number): Promise<Answer | TooMuch> {
  const { plan, signal } = read;
  const { attempts, retryBaseMs } = plan.limits;
  try {
    return await retryRead(() => readAnswer(read, ids, maxBytes), {
      signal,
      attempts,
      baseMs: retryBaseMs,
    });
  } catch (error) {
    const isOutOfMemory = error instanceof UpstreamInvalidError && error.isOutOfMemory;
    if (isOutOfMemory && ids.size > 1) return { recordsSeen: ids.size };
    throw error;
  }
}

async function readAnswer(
  { plan, pool, signal }: BatchRead,
  ids: IdRange,
  maxBytes: number,
): Promise<Answer | TooMuch> {
  const memory = pool.take();
  const rows = new RecordRows(ids, memory);
  const reader = rowReaderFor(plan, (id, source, start, end) => {
    if (!rows.add(id, source, start, end)) throw new UpstreamInvalidError(NOT_ASKED_FOR);
  });

  let bytes = 0;
  const body = await plan.client.openRecords({
    ...plan.selection,
    records: [...ids],
    signal,
    isContinuation: true,
  });
  for await (const chunk of chunksOf(body)) {
    bytes += chunk.length;
    // Leaving the loop destroys the stream and cancels REDCap's answer.
    if (bytes > maxBytes) return { recordsSeen: rows.size };
    reader.push(chunk);
  }
  reader.end();
  return { rows, memory, header: reader.header, bytes };
}

/** Halves the number of records that fitted, so that the next answer fits with a margin. */
function splitOf({ recordsSeen }: TooMuch, ids: IdRange): OversizedBatch {
  if (ids.size === 1) throw new UpstreamInvalidError(ONE_IS_TOO_LARGE);
  const half = Math.ceil(ids.size / 2);
  return { recordsAPart: Math.max(1, Math.min(half, Math.floor(recordsSeen / 2))) };
}

function toBatch(ids: IdRange, answers: readonly Answer[]): FetchedBatch {
  return {
    rows: new BatchRows(ids, answers),
    header: answers.find(({ header }) => header !== undefined)?.header,
    records: ids.size,
    bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

const NOT_ASKED_FOR = 'REDCap answered a record that was not asked for.';
const ONE_IS_TOO_LARGE =
  'A single record is larger than a batch may be. Export it without batchSize, or with fewer fields.';
