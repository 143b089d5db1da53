import { HeldBytes } from '../../buffers/held-bytes.js';
import { CSV_DELIMITERS, delimiterByte, type CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';

/**
 * Holds the first line of a CSV until its delimiter is known. Field names contain none of the possible delimiters, so
 * the one that occurs is the delimiter. If several occur, the most frequent is chosen; if none, the comma.
 */
export class HeaderReader {
  readonly #held = new HeldBytes();
  readonly #counts = new Uint32Array(0x100);
  #isQuoted = false;
  #hasName = false;

  /** @returns the bytes held */
  take(): Buffer {
    return this.#held.take();
  }

  /** The delimiter, according to the bytes read so far. */
  get delimiter(): number {
    let found = COMMA;
    for (const byte of DELIMITER_BYTES)
      if ((this.#counts[byte] ?? 0) > (this.#counts[found] ?? 0)) found = byte;
    return found;
  }

  /** @returns whether the header is complete with these bytes, or exceeds the maximum length */
  push(piece: Buffer): boolean {
    this.#held.add(piece);
    return this.#hasEnd(piece) || this.#held.length > LONGEST_HEADER;
  }

  #hasEnd(piece: Buffer): boolean {
    for (const byte of piece) {
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
      if (this.#isQuoted) continue;
      if (byte !== LINE_FEED && byte !== RETURN) {
        this.#hasName = true;
        this.#counts[byte] = (this.#counts[byte] ?? 0) + 1;
      } else if (this.#hasName) return true; // empty lines before the header do not count
    }
    return false;
  }
}

const [LINE_FEED, RETURN, QUOTE, COMMA] = [0x0a, 0x0d, 0x22, 0x2c];
export const DELIMITER_BYTES = (Object.keys(CSV_DELIMITERS) as CsvDelimiter[]).map(delimiterByte);
/** Enough for the longest names in as many columns as are accepted. */
const LONGEST_HEADER = 1024 * 1024;
