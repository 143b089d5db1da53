import { HeldBytes } from '../../domain/bytes/held-bytes.js';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import { DEFAULT_MAX_RECORD_BYTES } from '../../gateways/redcap/json-array-splitter.js';
import { RowCells } from './row-cells.js';

/**
 * Reads CSV row by row and finds the cells of each row in the same pass. Splitting into rows first and then into cells
 * would take twice as long. Empty lines are skipped. Chunks may be cut anywhere.
 *
 * @see docs/protocol/redcap.md 1.8 (wire, client)
 */
export class CellReader {
  readonly #onRow: (cells: RowCells) => void;
  readonly #cells = new RowCells();
  /** The beginning of a row that continues in the next chunk, and whether it ends inside quotes. */
  readonly #held = new HeldBytes();
  #isQuoted = false;

  /** @param onRow called for each row, starting with the header; its cells are valid until the next row */
  constructor(onRow: (cells: RowCells) => void) {
    this.#onRow = onRow;
  }

  /** @throws {UpstreamInvalidError} a row is too large */
  push(chunk: Buffer): void {
    let from = this.#held.length > 0 ? this.#finishRow(chunk) : 0;
    while (from < chunk.length) {
      const end = this.#cells.read(chunk, from);
      if (end === -1) break;
      this.#report();
      from = end + 1;
    }
    if (from < chunk.length) this.#hold(chunk, from, chunk.length);
  }

  /** Reports a last row without line end. @throws {UpstreamInvalidError} it ends inside a quoted cell */
  end(): void {
    if (this.#isQuoted) throw new UpstreamInvalidError(CUT_SHORT);
    if (this.#held.length > 0) this.#finishRow(LINE_END);
  }

  /**
   * @returns the start of the row after the held one, or the length of the chunk if the held row is still incomplete
   */
  #finishRow(chunk: Buffer): number {
    let isQuoted = this.#isQuoted;
    let at = 0;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === LINE_FEED && !isQuoted) break;
    }
    const end = Math.min(at + 1, chunk.length);
    this.#hold(chunk, 0, end);
    if (at < chunk.length) {
      this.#isQuoted = false;
      this.#cells.read(this.#held.take(), 0);
      this.#report();
    }
    return end;
  }

  #hold(chunk: Buffer, from: number, end: number): void {
    for (let at = from; at < end; at++) if (chunk[at] === QUOTE) this.#isQuoted = !this.#isQuoted;
    this.#held.add(chunk.subarray(from, end));
    if (this.#held.length > DEFAULT_MAX_RECORD_BYTES) throw new UpstreamInvalidError(TOO_LARGE);
  }

  #report(): void {
    if (!this.#cells.isBlank) this.#onRow(this.#cells);
  }
}

const [LINE_FEED, QUOTE] = [0x0a, 0x22];
const LINE_END = Buffer.from('\n');
const CUT_SHORT = "REDCap's answer ended inside a CSV cell.";
const TOO_LARGE = 'A row is larger than this service reads. Ask for fewer fields.';
