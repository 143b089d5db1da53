import { ChunkBytes } from './chunk-bytes.js';
import type { CheckedRow } from './row-checker.js';

/** The rows of one call to REDCap. */
export interface RowChunk {
  /** A JSON array in UTF-8. */
  readonly data: Buffer;
  /** The row of the input behind its last, from 0. */
  readonly endRow: number;
  /** Its records; one whose rows are adjacent stands once. */
  readonly records: readonly string[];
  readonly lastRecord: string;
  /** Whether more rows of its last record follow in the next chunk. */
  readonly isCutInside: boolean;
  readonly hasNewInstance: boolean;
}

export interface ChunkLimits {
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Gathers rows into chunks of at most so many rows and bytes. Adjacent rows of one record stay together, unless
 * they fill a chunk alone.
 */
export class RowChunker {
  readonly #limits: ChunkLimits;
  readonly #json = new ChunkBytes();
  #rows: Pending[] = [];
  #bytes = 0;
  /** Where the rows of the last record begin. */
  #groupStart = 0;

  constructor(limits: ChunkLimits) {
    this.#limits = limits;
  }

  /** @param index the row's place in the input, from 0 @returns the chunks that are full with it: nearly always none */
  add(row: CheckedRow, index: number): RowChunk[] {
    const chunks: RowChunk[] = [];
    const { record, json, isNewInstance } = row;
    const size = Buffer.byteLength(json);
    const isSameRecord = this.#rows.at(-1)?.record === record;
    while (this.#rows.length > 0 && !this.#hasRoom(size + 1)) {
      const isCutInside = isSameRecord && this.#groupStart === 0;
      const count = isSameRecord && !isCutInside ? this.#groupStart : this.#rows.length;
      chunks.push(this.#cut(count, isCutInside));
    }
    if (!isSameRecord) this.#groupStart = this.#rows.length;
    this.#rows.push({ record, isNewInstance, index, bytes: size + 1 });
    this.#json.add(json, size);
    this.#bytes += size + 1;
    return chunks;
  }

  /** The rows that are left. */
  rest(): RowChunk | undefined {
    return this.#rows.length === 0 ? undefined : this.#cut(this.#rows.length, false);
  }

  /** Takes back the memory of a chunk that nobody reads any more, for a later one. */
  giveBack({ data }: RowChunk): void {
    this.#json.giveBack(data);
  }

  #hasRoom(bytes: number): boolean {
    // One more byte for the bracket that closes the array.
    return this.#rows.length < this.#limits.rows && this.#bytes + bytes + 1 <= this.#limits.bytes;
  }

  #cut(count: number, isCutInside: boolean): RowChunk {
    const taken = this.#rows.slice(0, count);
    this.#rows = this.#rows.slice(count);
    this.#bytes = this.#rows.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#groupStart = 0;
    const size = taken.reduce((sum, { bytes }) => sum + bytes, 0);
    return { ...chunkOf(taken), data: this.#json.cut(size), isCutInside };
  }
}

interface Pending {
  readonly record: string;
  readonly isNewInstance: boolean;
  /** Its place in the input, from 0. */
  readonly index: number;
  /** The size of its JSON and of the comma, or bracket, before it. */
  readonly bytes: number;
}

function chunkOf(pending: readonly Pending[]): Omit<RowChunk, 'data' | 'isCutInside'> {
  const last = pending.at(-1);
  const records = pending
    .map(({ record }) => record)
    .filter((record, at) => pending[at - 1]?.record !== record);
  return {
    endRow: (last?.index ?? -1) + 1,
    records,
    lastRecord: last?.record ?? '',
    hasNewInstance: pending.some(({ isNewInstance }) => isNewInstance),
  };
}
