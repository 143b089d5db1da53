import type { RowPlace } from './input-item.js';
import type { CheckedRow } from './row-checker.js';

/** The rows of one call to REDCap. */
export interface RowChunk {
  /** A JSON array in UTF-8. */
  readonly data: Buffer;
  /** Where its rows stand in the input. */
  readonly places: readonly RowPlace[];
  /** The record of each row. */
  readonly recordOfRow: readonly string[];
  /** Index of the first input row after the chunk, from 0. */
  readonly endRow: number;
  /** Its records. A record whose rows are adjacent is listed once. */
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
 * Groups rows into chunks of limited rows and bytes. Adjacent rows of one record stay together unless they fill a chunk
 * on their own.
 */
export class RowChunker {
  /** The size of their JSON, with a separator before each. */
  #bytes = 0;
  #rows: Row[] = [];
  /** How many of them, at the end, belong to the record of the last one. */
  #last = 0;

  constructor(private readonly limits: ChunkLimits) {}

  /** @param place where the row stands in the input @returns the chunks completed by the row, usually none */
  add({ record, json, isNewInstance }: CheckedRow, place: RowPlace): RowChunk[] {
    const chunks: RowChunk[] = [];
    const size = Buffer.byteLength(json) + 1;
    const isSameRecord = this.#rows.at(-1)?.record === record;
    while (this.#rows.length > 0 && !this.#hasRoom(size)) {
      const earlier = this.#rows.length - this.#last;
      if (isSameRecord && earlier > 0) chunks.push(this.#cut(earlier, false));
      else chunks.push(this.#cut(this.#rows.length, isSameRecord));
    }
    this.#rows.push({ record, json, isNewInstance, place, size });
    this.#last = isSameRecord ? this.#last + 1 : 1;
    this.#bytes += size;
    return chunks;
  }

  /** Returns the remaining rows as a chunk. */
  rest(): RowChunk | undefined {
    return this.#rows.length === 0 ? undefined : this.#cut(this.#rows.length, false);
  }

  #hasRoom(bytes: number): boolean {
    // One more byte for the bracket that closes the array.
    return this.#rows.length < this.limits.rows && this.#bytes + bytes + 1 <= this.limits.bytes;
  }

  #cut(count: number, isCutInside: boolean): RowChunk {
    const rows = this.#rows.splice(0, count);
    this.#bytes -= rows.reduce((sum, { size }) => sum + size, 0);
    const data = Buffer.from(`[${rows.map(({ json }) => json).join(',')}]`);
    this.#last = this.#rows.length;
    const places = rows.map(({ place }) => place);
    const recordOfRow = rows.map(({ record }) => record);
    return {
      ...{ data, places, recordOfRow, isCutInside },
      endRow: places.at(-1)?.row ?? 0,
      records: recordOfRow.filter((record, index) => record !== recordOfRow[index - 1]),
      lastRecord: recordOfRow.at(-1) ?? '',
      hasNewInstance: rows.some(({ isNewInstance }) => isNewInstance),
    };
  }
}

interface Row extends CheckedRow {
  readonly place: RowPlace;
  /** The size of its JSON, including the separator before it. */
  readonly size: number;
}
