import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import type { ExportProgress } from '../../gateways/redcap/crf-client.js';
import type { BatchPlan } from './batch-plan.js';
import { fetchBatch, isOversized, type FetchedBatch, type OversizedBatch } from './fetch-batch.js';
import { listRecordIds } from './list-record-ids.js';

/** One batch of a batched export. */
export interface Batch extends FetchedBatch {
  readonly ids: readonly string[];
}

/**
 * Exports in batches. It first reads the record ids and then exports groups of records in REDCap's order. The rows are
 * the same as those of a single call. Each batch is complete, or the export fails.
 *
 * Memory: the ids of all records, and the batches fetched ahead (`concurrency`). No further batch is fetched while
 * `maxBatchBytes` are waiting. The batch size is reduced when answers are too large, and raised again afterwards.
 * Leaving the iteration cancels the calls in progress.
 *
 * @param onProgress called after each batch, once it has been consumed
 * @throws {IncompleteExportError} REDCap omitted records that it had listed
 * @throws {CrfError} errors of `openRecords`, once all retries have failed
 */
export async function* exportInBatches(
  plan: BatchPlan,
  onProgress?: (progress: ExportProgress) => void,
): AsyncGenerator<Batch, void, undefined> {
  const leaving = new AbortController();
  const outer = plan.selection.signal;
  const signal = outer ? AbortSignal.any([outer, leaving.signal]) : leaving.signal;
  try {
    const ids = await listRecordIds(plan, signal);
    const total = Math.min(ids.length, plan.limits.recordLimit);
    let [records, bytes] = [0, 0];
    let header: Buffer | undefined;
    for await (const batch of new BatchQueue(plan, ids, signal).batches()) {
      header ??= batch.header;
      if (header && batch.header && !header.equals(batch.header))
        throw new UpstreamInvalidError(COLUMNS_CHANGED);
      yield batch;
      records += batch.records;
      bytes += batch.bytes;
      onProgress?.({ records, total, bytes });
    }
  } finally {
    leaving.abort();
  }
}

/** A group of records at its position in the order. It is fetched shortly before its turn. */
interface Slot {
  readonly ids: readonly string[];
  promise?: Promise<FetchedBatch | OversizedBatch>;
  bytes: number;
}

/** Fetches batches ahead of their consumer and yields them in order. */
class BatchQueue {
  #slots: Slot[] = [];
  #next = 0;
  #size: number;

  constructor(
    private readonly plan: BatchPlan,
    private readonly ids: readonly string[],
    private readonly signal: AbortSignal,
  ) {
    this.#size = plan.limits.batchSize;
  }

  async *batches(): AsyncGenerator<Batch, void, undefined> {
    for (;;) {
      this.#fill();
      const [head] = this.#slots;
      if (head === undefined) return;
      const batch = await this.#start(head);
      this.#slots.shift();
      if (isOversized(batch)) {
        this.#split(head.ids, batch.recordsAPart);
        continue;
      }
      this.#grow(batch.bytes);
      this.#fill();
      yield { ...batch, ids: head.ids };
    }
  }

  /** Starts the batches that may be in progress now: always the first slot, and others within the limits. */
  #fill(): void {
    const { concurrency, maxBatchBytes } = this.plan.limits;
    for (let position = 0; position < concurrency; position++) {
      const slot = this.#slots[position] ?? this.#takeNext();
      if (slot === undefined) return;
      const waitingBytes = this.#slots.reduce((sum, { bytes }) => sum + bytes, 0);
      if (position === 0 || waitingBytes < maxBatchBytes) void this.#start(slot);
    }
  }

  #takeNext(): Slot | undefined {
    const end = Math.min(this.#next + this.#size, this.plan.limits.recordLimit);
    if (this.#next >= Math.min(end, this.ids.length)) return undefined;
    const slot = { ids: this.ids.slice(this.#next, end), bytes: 0 };
    this.#next += slot.ids.length;
    this.#slots.push(slot);
    return slot;
  }

  #start(slot: Slot): Promise<FetchedBatch | OversizedBatch> {
    slot.promise ??= fetchBatch(this.plan, slot.ids, this.signal).then((batch) => {
      slot.bytes = isOversized(batch) ? 0 : batch.bytes;
      return batch;
    });
    // A batch fetched ahead may fail before it is awaited. Its consumer then receives the error.
    slot.promise.catch(() => undefined);
    return slot.promise;
  }

  #split(ids: readonly string[], recordsAPart: number): void {
    this.#size = Math.min(this.#size, recordsAPart);
    const parts: Slot[] = [];
    for (let at = 0; at < ids.length; at += recordsAPart)
      parts.push({ ids: ids.slice(at, at + recordsAPart), bytes: 0 });
    this.#slots.unshift(...parts);
  }

  /**
   * Raises the batch size again. A few large records must not keep all later batches small: REDCap bans clients that
   * call too often.
   */
  #grow(bytes: number): void {
    const { batchSize, maxBatchBytes } = this.plan.limits;
    if (bytes < maxBatchBytes / 4) this.#size = Math.min(this.#size * 2, batchSize);
  }
}

const COLUMNS_CHANGED = "The columns of REDCap's export changed while it ran. Start it again.";
