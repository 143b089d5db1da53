/** Told of each run: it begins with its first row and ends with its last; `ends` tells where in it each row ends. */
export type OnRun = (run: Buffer, ends: readonly number[]) => void;

/**
 * Joins rows that stand in one piece of memory with nothing but the separator between them, as REDCap's answer brought
 * them: they can go out as they are, and none of their bytes is copied.
 */
export class RowRuns {
  readonly #separator: Buffer;
  readonly #emit: OnRun;
  #first: Buffer | undefined;
  #ends: number[] = [];

  /** @param separator what stands between two rows of an answer */
  constructor(separator: Buffer, emit: OnRun) {
    this.#separator = separator;
    this.#emit = emit;
  }

  add(row: Buffer): void {
    if (!this.#isNext(row)) {
      this.flush();
      this.#first = row;
    }
    this.#ends.push(row.byteOffset + row.length - (this.#first?.byteOffset ?? 0));
  }

  /** Gives away what has been gathered. */
  flush(): void {
    if (this.#first === undefined) return;
    const { buffer, byteOffset } = this.#first;
    this.#emit(Buffer.from(buffer, byteOffset, this.#ends.at(-1)), this.#ends);
    this.#first = undefined;
    this.#ends = [];
  }

  #isNext(row: Buffer): boolean {
    if (this.#first === undefined || row.buffer !== this.#first.buffer) return false;
    const end = this.#first.byteOffset + (this.#ends.at(-1) ?? 0);
    const separator = this.#separator;
    return (
      row.byteOffset === end + separator.length &&
      separator.equals(new Uint8Array(row.buffer, end, separator.length))
    );
  }
}
