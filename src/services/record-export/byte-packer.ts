import { countBuffer } from '../../buffers/stream-buffers.js';

const CHUNK_BYTES = 64 * 1024;
/** A piece of this size is a chunk itself: copying it costs more than a further write. */
const LARGE_PIECE_BYTES = 16 * 1024;

/**
 * Gathers small pieces into large chunks, so that a record is not a write of its own. A chunk that was given
 * away is never written to again.
 */
export class BytePacker {
  readonly #emit: (chunk: Buffer) => void;
  #buffer: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  /** @param emit takes each chunk */
  constructor(emit: (chunk: Buffer) => void) {
    this.#emit = emit;
  }

  /** Adds the bytes of `source` from `start` up to, without, `end`. */
  add(source: Buffer, start = 0, end = source.length): void {
    const size = end - start;
    if (size >= LARGE_PIECE_BYTES) {
      this.flush();
      this.#emit(source.subarray(start, end));
      return;
    }
    this.#makeRoom(size);
    this.#end += source.copy(this.#buffer, this.#end, start, end);
  }

  /** As `add`, of memory that will be written to again: every byte is copied. */
  copy(source: Buffer): void {
    for (let at = 0; at < source.length;) {
      this.#makeRoom(1);
      const copied = source.copy(this.#buffer, this.#end, at);
      this.#end += copied;
      at += copied;
    }
  }

  addByte(byte: number): void {
    this.#makeRoom(1);
    this.#buffer[this.#end++] = byte;
  }

  /** Gives away what has been gathered. */
  flush(): void {
    if (this.#end === this.#start) return;
    const chunk = this.#buffer.subarray(this.#start, this.#end);
    this.#start = this.#end;
    this.#emit(chunk);
  }

  #makeRoom(size: number): void {
    if (this.#buffer.length - this.#end >= size) return;
    this.flush();
    countBuffer(CHUNK_BYTES);
    this.#buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    this.#start = 0;
    this.#end = 0;
  }
}
