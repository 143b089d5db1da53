import { ChunkBytes } from './chunk-bytes.js';
import type { CheckedRow } from './row-checker.js';
import { TextList } from './text-list.js';

/** The rows of one call to REDCap. */
export interface RowChunk {
  /** A JSON array in UTF-8. */
  readonly data: Buffer;
  /** Index of the first input row after the chunk, from 0. */
  readonly endRow: number;
  /** Its records. A record whose rows are adjacent is listed once. */
  readonly records: TextList;
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
 * on their own. Only the JSON of a row is kept, so that no object lives as long as a chunk.
 */
export class RowChunker {
  readonly #limits: ChunkLimits;
  readonly #json = new ChunkBytes();
  readonly #freeLists: TextList[] = [];
  /** The rows before those of the last record, and their records. */
  #earlier: Stretch = NO_ROWS;
  #earlierRecords = new TextList();
  #lastEarlierRecord = '';
  /** The rows of the last record. */
  #last: Stretch = NO_ROWS;
  #record = '';

  constructor(limits: ChunkLimits) {
    this.#limits = limits;
  }

  /** @param index position of the row in the input, from 0 @returns the chunks completed by the row, usually none */
  add(row: CheckedRow, index: number): RowChunk[] {
    const chunks: RowChunk[] = [];
    const { record, json, isNewInstance } = row;
    const size = json.length;
    const isSameRecord = this.#last.rows > 0 && this.#record === record;
    while (this.#last.rows > 0 && !this.#hasRoom(size + 1)) {
      if (!isSameRecord) chunks.push(this.#cutAll(false));
      else if (this.#earlier.rows > 0) chunks.push(this.#cutEarlier());
      else chunks.push(this.#cutAll(true));
    }
    if (!isSameRecord) this.#beginRecord(record);
    this.#last = merge(this.#last, { rows: 1, bytes: size + 1, endRow: index + 1, hasNew: isNewInstance });
    this.#json.add(json);
    return chunks;
  }

  /** Returns the remaining rows as a chunk. */
  rest(): RowChunk | undefined {
    return this.#last.rows === 0 ? undefined : this.#cutAll(false);
  }

  /** Takes back the memory of a chunk that is no longer needed, for a later one. */
  giveBack({ data, records }: RowChunk): void {
    this.#json.giveBack(data);
    records.clear();
    this.#freeLists.push(records);
  }

  #hasRoom(bytes: number): boolean {
    const taken = merge(this.#earlier, this.#last);
    // One more byte for the bracket that closes the array.
    return taken.rows < this.#limits.rows && taken.bytes + bytes + 1 <= this.#limits.bytes;
  }

  #beginRecord(record: string): void {
    if (this.#last.rows > 0) {
      this.#earlier = merge(this.#earlier, this.#last);
      this.#earlierRecords.add(this.#record);
      this.#lastEarlierRecord = this.#record;
    }
    this.#last = NO_ROWS;
    this.#record = record;
  }

  #cutAll(isCutInside: boolean): RowChunk {
    this.#beginRecord(this.#record);
    return { ...this.#cutEarlier(), isCutInside };
  }

  #cutEarlier(): RowChunk {
    const { bytes, endRow, hasNew } = this.#earlier;
    const records = this.#earlierRecords;
    this.#earlier = NO_ROWS;
    this.#earlierRecords = this.#freeLists.pop() ?? new TextList();
    return {
      data: this.#json.cut(bytes),
      endRow,
      records,
      lastRecord: this.#lastEarlierRecord,
      isCutInside: false,
      hasNewInstance: hasNew,
    };
  }
}

/** A run of consecutive rows. */
interface Stretch {
  readonly rows: number;
  /** The size of their JSON, including the separator before each row. */
  readonly bytes: number;
  /** Index of the first input row after the run, from 0. */
  readonly endRow: number;
  readonly hasNew: boolean;
}

const NO_ROWS: Stretch = { rows: 0, bytes: 0, endRow: 0, hasNew: false };

function merge(first: Stretch, second: Stretch): Stretch {
  if (second.rows === 0) return first;
  return {
    rows: first.rows + second.rows,
    bytes: first.bytes + second.bytes,
    endRow: second.endRow,
    hasNew: first.hasNew || second.hasNew,
  };
}
