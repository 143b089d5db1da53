import { ENCODING_NAMES, unreadableHead, type TextEncoding } from '../../domain/bytes/decode-text.js';
import { say } from '../../domain/errors/sentences.js';
import type { InputErrors } from './input-errors.js';

/**
 * Decodes the input to UTF-8 and removes its byte order mark. UTF-8 is passed on unchecked: the parsers check it row by
 * row, so that they can report where it is invalid.
 *
 * @param encoding the encoding stated by the caller
 * @throws {MalformedRequestError} the input is a workbook, or UTF-16 that was not stated, or not in the stated encoding
 */
export async function* decodeInput(
  pieces: AsyncIterable<Buffer>,
  encoding: TextEncoding | undefined,
  errors: InputErrors,
): AsyncGenerator<Buffer, void, undefined> {
  const decoded = encoding === undefined || encoding === 'utf-8' ? undefined : decoderOf(encoding, errors);
  let head: Buffer | undefined = NOTHING;
  for await (const piece of pieces) {
    if (head === undefined) {
      yield decoded?.(piece) ?? piece;
      continue;
    }
    head = head.length === 0 ? piece : Buffer.concat([head, piece]);
    if (head.length < ENOUGH_TO_TELL) continue;
    refuseOther(head, encoding, errors);
    yield decoded?.(head) ?? withoutMark(head);
    head = undefined;
  }
  if (head !== undefined && head.length > 0) {
    refuseOther(head, encoding, errors);
    yield decoded?.(head) ?? withoutMark(head);
  }
  if (decoded !== undefined) yield decoded();
}

/** Returns a decoder of pieces, and without one, of the end. It removes the byte order mark. */
function decoderOf(encoding: TextEncoding, errors: InputErrors): (piece?: Buffer) => Buffer {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (piece) => {
    try {
      return Buffer.from(piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true }));
    } catch {
      throw errors.whole(say('not_encoding', { encoding: ENCODING_NAMES[encoding] }));
    }
  };
}

function refuseOther(head: Buffer, stated: TextEncoding | undefined, errors: InputErrors): void {
  const wrong = unreadableHead(head, stated);
  if (wrong !== undefined) throw errors.whole(wrong);
}

const withoutMark = (head: Buffer): Buffer =>
  head.subarray(0, 3).equals(UTF8_MARK) ? head.subarray(3) : head;

const NOTHING = Buffer.alloc(0);
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const ENOUGH_TO_TELL = 4;
