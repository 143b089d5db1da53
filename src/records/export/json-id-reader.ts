import { UpstreamInvalidError } from '../../errors/upstream-errors.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import { parseRow } from '../formats/parse-row.js';

/** Called with an id, whose bytes are those of `source` from `start` to `end` (exclusive). */
export type OnId = (source: Buffer, start: number, end: number) => void;

/** Finds the record id in the JSON of rows. REDCap writes it first, so the rest of the row is not scanned. */
export class JsonIdReader {
  readonly #key: string;
  readonly #opening: Buffer;

  /** @param key the name of the id property */
  constructor(key: string) {
    this.#key = key;
    this.#opening = Buffer.from(`{${JSON.stringify(key)}:"`);
  }

  /** Returns the id of the row whose bytes are those of `source` from `start` to `end` (exclusive). */
  read(source: Buffer, start: number, end: number): string {
    const from = start + this.#opening.length;
    const to = this.#endOfFirst(source, start, end);
    return to === undefined
      ? idIn(parseRow(source.subarray(start, end)), this.#key)
      : source.toString('utf8', from, to);
  }

  /** Finds the id like `read`, but passes on its bytes, so that usually nothing is allocated for a row. */
  locate(source: Buffer, start: number, end: number, onId: OnId): void {
    const to = this.#endOfFirst(source, start, end);
    if (to !== undefined) {
      onId(source, start + this.#opening.length, to);
      return;
    }
    const id = Buffer.from(this.read(source, start, end));
    onId(id, 0, id.length);
  }

  /** Returns the end of the id if it comes first and contains no escape, which would require a parser. */
  #endOfFirst(source: Buffer, start: number, end: number): number | undefined {
    const opening = this.#opening;
    for (let at = 0; at < opening.length; at++) if (source[start + at] !== opening[at]) return undefined;
    for (let at = start + opening.length; at < end; at++) {
      if (source[at] === QUOTE) return at;
      if (source[at] === BACKSLASH) return undefined;
    }
    return undefined;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function idIn(row: RecordRow, key: string): string {
  const id = row[key];
  if (typeof id !== 'string' && typeof id !== 'number') {
    throw new UpstreamInvalidError('A row of REDCap has no record id, though it was asked for.');
  }
  return String(id);
}
