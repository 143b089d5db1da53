import { HeldBytes } from '../../buffers/held-bytes.js';
import { CSV_DELIMITERS, delimiterByte, type CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';

/**
 * Holds the header of a CSV until its delimiter is known. Names of fields contain none of the possible delimiters, so the
 * one that occurs is it: of several the most frequent, of none the comma.
 */
export class HeaderReader {
  readonly #held = new HeldBytes();
  readonly #counts = new Uint32Array(0x100);
  #isQuoted = false;
  #hasName = false;

  /** @returns what was held */
  take(): Buffer {
    return this.#held.take();
  }

  /** The byte that stands between the cells, as far as was read. */
  get delimiter(): number {
    let found = COMMA;
    for (const byte of CANDIDATES) if ((this.#counts[byte] ?? 0) > (this.#counts[found] ?? 0)) found = byte;
    return found;
  }

  /** @returns whether the header has ended with these bytes, or is longer than anybody waits for */
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
      } else if (this.#hasName) return true; // empty lines before the header are none of it
    }
    return false;
  }
}

const [LINE_FEED, RETURN, QUOTE, COMMA] = [0x0a, 0x0d, 0x22, 0x2c];
const CANDIDATES = (Object.keys(CSV_DELIMITERS) as CsvDelimiter[]).map(delimiterByte);
/** Enough for the longest names of as many columns as are read. */
const LONGEST_HEADER = 1024 * 1024;
