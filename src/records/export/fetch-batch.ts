import { hash } from 'node:crypto';
import { IncompleteExportError, UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import type { BatchPlan } from './batch-plan.js';
import { retryRead } from './retry-read.js';
import { HashedIdsError, isHash } from '../rules/hashed-ids.js';
import { chunksOf } from '../streaming/chunks-of.js';
import { rowReaderFor } from './row-reader.js';

/** A complete batch: it contains the rows of every requested record. */
export interface FetchedBatch {
  /** In the order of the ids. */
  readonly rows: readonly Buffer[];
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
  ids: readonly string[],
  signal: AbortSignal,
): Promise<FetchedBatch | OversizedBatch> {
  const read = { plan, signal };
  const first = await readRetried(read, ids, plan.limits.maxBatchBytes);
  if (isTooMuch(first)) return splitOf(first, ids);
  if (first.rows.size === ids.length) return toBatch(ids, [first]);

  const missing = ids.filter((id) => !first.rows.has(id));
  if (missing.length === ids.length && missing.every(isHash)) throw new HashedIdsError('batchSize');
  const second = await readRetried(read, missing, plan.limits.maxBatchBytes - first.bytes);
  if (isTooMuch(second)) return splitOf(second, ids);
  const stillMissing = missing.filter((id) => !second.rows.has(id));
  if (stillMissing.length > 0) throw new IncompleteExportError(stillMissing.slice(0, 100));
  return toBatch(ids, [first, second]);
}

interface Answer {
  readonly rows: RecordRows;
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
  readonly signal: AbortSignal;
}

async function readRetried(
  read: BatchRead,
  ids: readonly string[],
  maxBytes: number,
): Promise<Answer | TooMuch> {
  const { plan, signal } = read;
  const { attempts, retryBaseMs } = plan.limits;
  try {
    return await retryRead(() => readAnswer(read, ids, maxBytes), { signal, attempts, baseMs: retryBaseMs });
  } catch (error) {
    const isOutOfMemory = error instanceof UpstreamInvalidError && error.isOutOfMemory;
    if (isOutOfMemory && ids.length > 1) return { recordsSeen: ids.length };
    throw error;
  }
}

async function readAnswer(
  { plan, signal }: BatchRead,
  ids: readonly string[],
  maxBytes: number,
): Promise<Answer | TooMuch> {
  const rows = new RecordRows(ids);
  const reader = rowReaderFor(plan, (id, row) => {
    if (!rows.add(id, row)) throw new UpstreamInvalidError(NOT_ASKED_FOR);
  });

  let bytes = 0;
  const body = await plan.client.openRecords({
    ...plan.selection,
    records: ids,
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
  return { rows, header: reader.header, bytes };
}

/** Halves the number of records that fitted, so that the next answer fits with a margin. */
function splitOf({ recordsSeen }: TooMuch, ids: readonly string[]): OversizedBatch {
  if (ids.length === 1) throw new UpstreamInvalidError(ONE_IS_TOO_LARGE);
  const half = Math.ceil(ids.length / 2);
  return { recordsAPart: Math.max(1, Math.min(half, Math.floor(recordsSeen / 2))) };
}

function toBatch(ids: readonly string[], answers: readonly Answer[]): FetchedBatch {
  return {
    rows: ids.flatMap((id) => answers.flatMap(({ rows }) => rows.rowsOf(id))),
    header: answers.find(({ header }) => header !== undefined)?.header,
    records: ids.length,
    bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The rows of one answer, grouped by record and without duplicates. */
export class RecordRows {
  readonly #asked: ReadonlySet<string>;
  readonly #rows = new Map<string, Buffer[]>();
  /** The hashes of the rows of each record that has several. */
  readonly #digests = new Map<string, Set<string>>();

  /** @param ids the requested records */
  constructor(ids: readonly string[]) {
    this.#asked = new Set(ids);
  }

  /** The number of records that have a row. */
  get size(): number {
    return this.#rows.size;
  }

  /**
   * Adds a row unless identical bytes were added before. Distinct rows of a record always differ in event or repeat
   * instance.
   *
   * @returns whether the record was requested
   */
  add(id: string, row: Buffer): boolean {
    if (!this.#asked.has(id)) return false;
    const rows = this.#rows.get(id);
    if (rows === undefined) this.#rows.set(id, [row]);
    else if (this.#isNew(id, rows, row)) rows.push(row);
    return true;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** Returns the rows of a record in the order in which they were received. */
  rowsOf(id: string): readonly Buffer[] {
    return this.#rows.get(id) ?? [];
  }

  #isNew(id: string, before: readonly Buffer[], row: Buffer): boolean {
    const digests = this.#digests.get(id) ?? new Set(before.map(digestOf));
    this.#digests.set(id, digests);
    return digests.size !== digests.add(digestOf(row)).size;
  }
}

const digestOf = (row: Buffer): string => hash('sha256', row, 'base64');

const NOT_ASKED_FOR = 'REDCap answered a record that was not asked for.';
const ONE_IS_TOO_LARGE =
  'A single record is larger than a batch may be. Export it without batchSize, or with fewer fields.';
