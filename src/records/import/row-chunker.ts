import { ByteList } from '../../bytes/byte-list.js';
import type { RowPlace } from './input-item.js';
import type { CheckedRow } from './row-checker.js';

/** The rows of one call to REDCap. */
export interface RowChunk {
  /** A JSON array in UTF-8. */
  readonly data: Buffer;
  /** Where its rows stand in the input; empty unless `notePlace` was called for each. */
  readonly places: readonly RowPlace[];
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
  readonly #json = new ChunkBytes();
  readonly #freeLists: TextList[] = [];
  /** The rows before those of the last record, and their records. */
  #earlier: Stretch = NO_ROWS;
  #earlierRecords = new TextList();
  #lastEarlierRecord = '';
  /** The rows of the last record. */
  #last: Stretch = NO_ROWS;
  #record = '';
  /** The places of all rows, if they are kept. */
  readonly #places: RowPlace[] = [];

  constructor(private readonly limits: ChunkLimits) {}

  /** Keeps the place of the row that is added next, for the `places` of its chunk. */
  notePlace(place: RowPlace): void {
    this.#places.push(place);
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
    return taken.rows < this.limits.rows && taken.bytes + bytes + 1 <= this.limits.bytes;
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
    const { rows, bytes, endRow, hasNew } = this.#earlier;
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
      places: this.#places.splice(0, rows),
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

/**
 * The rows of a chunk as JSON bytes. Its buffers are reused for later chunks once they are returned. A string built for
 * each chunk would be promoted to the old generation by the time it is sent, and V8 collects that late.
 */
export class ChunkBytes {
  readonly #free: Buffer[] = [];
  #buffer: Buffer = EMPTY;
  #length = 0;

  /** @param json one row; it is copied */
  add(json: Buffer): void {
    // Two more bytes: the separator before the row, and the bracket that closes the array.
    const needed = this.#length + json.length + 2;
    if (needed > this.#buffer.length) this.#grow(needed);
    this.#buffer[this.#length] = this.#length === 0 ? OPEN_BRACKET : COMMA;
    this.#length += 1 + json.copy(this.#buffer, this.#length + 1);
  }

  /**
   * Returns the first rows as an array. The rows after them become the start of the next array.
   *
   * @param end size of these rows in bytes, including one separator for each
   */
  cut(end: number): Buffer {
    const buffer = this.#buffer;
    const rest = buffer.subarray(end, this.#length);
    this.#buffer = this.#free.pop() ?? EMPTY;
    this.#length = 0;
    if (rest.length > 0) {
      if (rest.length + 1 > this.#buffer.length) this.#grow(rest.length + 1);
      this.#length = rest.copy(this.#buffer);
      this.#buffer[0] = OPEN_BRACKET;
    }
    buffer[end] = CLOSE_BRACKET;
    return buffer.subarray(0, end + 1);
  }

  /** Takes back an array that `cut` returned and that is no longer read. */
  giveBack(array: Buffer): void {
    this.#free.push(Buffer.from(array.buffer));
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, FIRST_BYTES, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

const OPEN_BRACKET = 0x5b;
const COMMA = 0x2c;
const CLOSE_BRACKET = 0x5d;
const FIRST_BYTES = 128 * 1024;
const EMPTY = Buffer.alloc(0);

/** A list of texts, stored as bytes until a call is answered. */
export class TextList implements Iterable<string> {
  readonly #texts = new ByteList();

  get length(): number {
    return this.#texts.length;
  }

  /** @param text without lone surrogates, which UTF-8 cannot encode */
  add(text: string): void {
    this.#texts.addText(text);
  }

  *[Symbol.iterator](): Generator<string, void, undefined> {
    for (let at = 0; at < this.#texts.length; at++) yield this.#texts.at(at).toString();
  }

  clear(): void {
    this.#texts.clear();
  }
}
