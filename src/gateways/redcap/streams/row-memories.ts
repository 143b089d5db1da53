import { RowMemory } from './row-memory.js';

/** The memory of one export for its batches: of those that were read, for those that come. */
export class RowMemories {
  readonly #free: RowMemory[] = [];

  take(): RowMemory {
    return this.#free.pop() ?? new RowMemory();
  }

  /** Takes back what nobody reads any more. What one batch of large records needed is not kept for all that follow. */
  giveBack(memory: RowMemory): void {
    if (memory.capacity > KEPT_BYTES) return;
    memory.clear();
    this.#free.push(memory);
  }
}

const KEPT_BYTES = 8 * 1024 * 1024;
