import { ByteList } from '../../buffers/byte-list.js';

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
