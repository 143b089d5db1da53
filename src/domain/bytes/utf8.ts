import { isUtf8 } from 'node:buffer';

/** Checks whether bytes are UTF-8 while they pass. Chunks may be cut anywhere, even inside a character. */
export class Utf8Check {
  /** The beginning of a character that continues in the next chunk. */
  #held: Buffer = EMPTY;

  /** Returns whether the bytes so far are valid. A character that is cut off at the end may still become so. */
  take(chunk: Buffer): boolean {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = bytes.length - cutAtEnd(bytes);
    this.#held = end === bytes.length ? EMPTY : Buffer.from(bytes.subarray(end));
    return isUtf8(bytes.subarray(0, end));
  }

  /** Whether the last character is complete. */
  get isComplete(): boolean {
    return this.#held.length === 0;
  }
}

/** Returns the number of bytes of the last character if some of it is missing, or else 0. */
function cutAtEnd(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) !== 0x80) return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}

/** Returns the number of bytes of the character that begins with this byte. */
function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

const EMPTY = Buffer.alloc(0);

/**
 * Decodes a header again as UTF-8. Node decodes headers as Latin-1, but many senders write file names in UTF-8.
 *
 * @returns the header unchanged if its bytes are not valid UTF-8
 */
export function utf8OfLatin1(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
