import { ByteList } from '../../buffers/byte-list.js';

/** The memory of one export for its batches: of those that were read, for those that come. */
export class RowMemories {
  readonly #free: ByteList[] = [];

  take(): ByteList {
    return this.#free.pop() ?? new ByteList();
  }

  /** Takes back what nobody reads any more. What one batch of large records needed is not kept for all that follow. */
  giveBack(memory: ByteList): void {
    if (memory.capacity > KEPT_BYTES) return;
    memory.clear();
    this.#free.push(memory);
  }
}

const KEPT_BYTES = 8 * 1024 * 1024;
