import { ByteList } from '../../domain/bytes/byte-list.js';
import type { IdRange } from './id-list.js';
import type { RecordRows } from './record-rows.js';

/** The rows of one answer, and the memory that holds them. */
export interface AnswerRows {
  readonly rows: RecordRows;
  readonly memory: ByteList;
}

/** The rows of a batch in the order of the ids, regardless of which answer contained them. */
export class BatchRows implements Iterable<Buffer> {
  constructor(
    private readonly ids: IdRange,
    private readonly answers: readonly AnswerRows[],
  ) {}

  *[Symbol.iterator](): Generator<Buffer, void, undefined> {
    const [whole, ...others] = this.answers;
    for (let place = 0; place < this.ids.size; place++) {
      if (whole) yield* whole.rows.rowsAt(place);
      for (const { rows } of others) yield* rows.rowsOf(this.ids.at(place));
    }
  }

  /** Returns the memory to the pool. No row may be read afterwards. */
  release(pool: ByteListPool): void {
    for (const { memory } of this.answers) pool.giveBack(memory);
  }
}

/** A pool of memory for the batches of one export. */
export class ByteListPool {
  readonly #free: ByteList[] = [];

  /** Returns an empty list, with memory from the pool if there is any. */
  take(): ByteList {
    return this.#free.pop() ?? new ByteList();
  }

  /** Takes back memory that is no longer read. Memory that grew for a batch of large records is not kept. */
  giveBack(memory: ByteList): void {
    if (memory.capacity > KEPT_BYTES) return;
    memory.clear();
    this.#free.push(memory);
  }
}

const KEPT_BYTES = 8 * 1024 * 1024;
