import { isUtf8 } from 'node:buffer';

/** Bytes are not UTF-8. Never leaves an import: whoever reads names the place. */
export class NotUtf8Error extends Error {
  constructor() {
    super('not UTF-8');
  }
}

/**
 * The same bytes in pieces that are not cut inside of a character.
 *
 * @throws {NotUtf8Error} they are not UTF-8; what came before the piece where it shows has been given
 */
export async function* wholeCharacters(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer = NOTHING;
  for await (const piece of pieces) {
    const bytes = held.length === 0 ? piece : Buffer.concat([held, piece]);
    const end = endOfWhole(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw new NotUtf8Error();
    held = bytes.subarray(end);
    if (whole.length > 0) yield whole;
  }
  if (held.length > 0) throw new NotUtf8Error();
}

/** Where a character begins that goes on behind the last byte; or else the end. */
function endOfWhole(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** How many bytes a character takes that begins with this one. */
function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

const NOTHING = Buffer.alloc(0);
