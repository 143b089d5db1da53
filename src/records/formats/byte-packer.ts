import { countBuffer } from '../../domain/bytes/stream-buffers.js';

const CHUNK_BYTES = 64 * 1024;
/** A piece of this size becomes a chunk of its own, because copying it costs more than another write. */
const LARGE_PIECE_BYTES = 16 * 1024;

/**
 * Combines small pieces into large chunks, to avoid one write per record. A chunk that has been emitted is never
 * written to again.
 */
export class BytePacker {
  #buffer: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  /** @param emit receives each chunk */
  constructor(private readonly emit: (chunk: Buffer) => void) {}

  /** Adds the bytes of `source` from `start` to `end` (exclusive). */
  add(source: Buffer, start = 0, end = source.length): void {
    const size = end - start;
    if (size >= LARGE_PIECE_BYTES) {
      this.flush();
      this.emit(source.subarray(start, end));
      return;
    }
    this.#makeRoom(size);
    this.#end += source.copy(this.#buffer, this.#end, start, end);
  }

  addByte(byte: number): void {
    this.#makeRoom(1);
    this.#buffer[this.#end++] = byte;
  }

  /** Emits the pending bytes. */
  flush(): void {
    if (this.#end === this.#start) return;
    const chunk = this.#buffer.subarray(this.#start, this.#end);
    this.#start = this.#end;
    this.emit(chunk);
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
