/**
 * Keeps bytes until the rest of a row, a line or a name arrives. Pieces are joined from time to time, so that data
 * arriving byte by byte does not become a list of a million buffers.
 */
export class HeldBytes {
  #pieces: Buffer[] = [];
  #length = 0;

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#length += piece.length;
    this.#pieces.push(piece);
    if (this.#pieces.length >= MAX_PIECES) this.#pieces = [Buffer.concat(this.#pieces)];
  }

  /** @returns all added bytes and forgets them; they are not copied if they came in one piece */
  take(): Buffer {
    const [only, ...others] = this.#pieces;
    if (only === undefined) return NOTHING;
    const bytes = others.length === 0 ? only : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    return bytes;
  }
}

const MAX_PIECES = 1024;
const NOTHING = Buffer.alloc(0);
