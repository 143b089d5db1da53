import { UpstreamInvalidError } from '../../errors/upstream-errors.js';
import type { BatchPlan } from './batch-plan.js';
import { fetchBatch, isOversized, type FetchedBatch, type OversizedBatch } from './fetch-batch.js';
import type { IdList } from './id-list.js';
import { listRecordIds } from './list-record-ids.js';
import { RowMemories } from './row-memories.js';

/** One batch of a batched export. Its rows may be read until the next is asked for. */
export interface Batch extends FetchedBatch {
  /** Records of the whole export. */
  readonly total: number;
}

/**
 * An export in batches: the record ids first, then some records after another, in the order in which REDCap
 * exports them. What comes out is what one call would give, row for row; each batch is whole or the export fails.
 *
 * Memory: the ids of all records, and batches: those fetched ahead (`concurrency`), and no further ones while `maxBatchBytes`
 * are waiting. Batches shrink when answers are too large, and grow again. Leaving the iteration cancels what is under way.
 *
 * @throws {IncompleteExportError} REDCap left out records it had listed
 * @throws {CrfError} what `openRecords` throws, once retries are used up
 */
export async function* exportInBatches(plan: BatchPlan): AsyncGenerator<Batch, void, undefined> {
  const leaving = new AbortController();
  const outer = plan.selection.signal;
  const signal = outer ? AbortSignal.any([outer, leaving.signal]) : leaving.signal;
  let ids: IdList | undefined;
  try {
    ids = await listRecordIds(plan, signal);
    const memories = new RowMemories();
    let header: Buffer | undefined;
    for await (const batch of new BatchQueue(plan, ids, memories, signal).batches()) {
      header ??= batch.header;
      if (header && batch.header && !header.equals(batch.header))
        throw new UpstreamInvalidError(COLUMNS_CHANGED);
      yield { ...batch, total: Math.min(ids.length, plan.limits.recordLimit) };
      batch.rows.release(memories);
    }
  } finally {
    leaving.abort();
    ids?.release();
  }
}

/** Some records in their place in the order; fetched when its turn comes near. */
interface Slot {
  readonly ids: readonly string[];
  promise?: Promise<FetchedBatch | OversizedBatch>;
  bytes: number;
}

/** Fetches batches ahead of whoever takes them, and gives them in order. */
class BatchQueue {
  readonly #plan: BatchPlan;
  readonly #ids: IdList;
  readonly #memories: RowMemories;
  readonly #signal: AbortSignal;
  #slots: Slot[] = [];
  #next = 0;
  #size: number;

  constructor(plan: BatchPlan, ids: IdList, memories: RowMemories, signal: AbortSignal) {
    this.#plan = plan;
    this.#ids = ids;
    this.#memories = memories;
    this.#signal = signal;
    this.#size = plan.limits.batchSize;
  }

  async *batches(): AsyncGenerator<FetchedBatch, void, undefined> {
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
      yield batch;
    }
  }

  /** Starts what may be under way now: the first slot always, others while the limits allow. */
  #fill(): void {
    const { concurrency, maxBatchBytes } = this.#plan.limits;
    for (let position = 0; position < concurrency; position++) {
      const slot = this.#slots[position] ?? this.#takeNext();
      if (slot === undefined) return;
      const waitingBytes = this.#slots.reduce((sum, { bytes }) => sum + bytes, 0);
      if (position === 0 || waitingBytes < maxBatchBytes) void this.#start(slot);
    }
  }

  #takeNext(): Slot | undefined {
    const end = Math.min(this.#next + this.#size, this.#plan.limits.recordLimit);
    if (this.#next >= Math.min(end, this.#ids.length)) return undefined;
    const slot = slotOf(this.#ids.slice(this.#next, end));
    this.#next += slot.ids.length;
    this.#slots.push(slot);
    return slot;
  }

  #start(slot: Slot): Promise<FetchedBatch | OversizedBatch> {
    slot.promise ??= fetchBatch(this.#plan, slot.ids, this.#memories, this.#signal).then((batch) => {
      slot.bytes = isOversized(batch) ? 0 : batch.bytes;
      return batch;
    });
    // A batch ahead may fail before it is waited for; the one who waits learns of it.
    slot.promise.catch(() => undefined);
    return slot.promise;
  }

  #split(ids: readonly string[], recordsAPart: number): void {
    this.#size = Math.min(this.#size, recordsAPart);
    const parts: Slot[] = [];
    for (let at = 0; at < ids.length; at += recordsAPart) {
      parts.push(slotOf(ids.slice(at, at + recordsAPart)));
    }
    this.#slots.unshift(...parts);
  }

  /** Few large records must not make every batch after them small: REDCap bans those who call too often. */
  #grow(bytes: number): void {
    const { batchSize, maxBatchBytes } = this.#plan.limits;
    if (bytes < maxBatchBytes / 4) this.#size = Math.min(this.#size * 2, batchSize);
  }
}

function slotOf(ids: readonly string[]): Slot {
  return { ids, bytes: 0 };
}

const COLUMNS_CHANGED = "The columns of REDCap's export changed while it ran. Start it again.";
