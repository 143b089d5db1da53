import { say } from '../../errors/sentences.js';
import type { MalformedRequestError } from '../../errors/caller-errors.js';
import type { InputErrors } from './input-errors.js';

/** Accepted encodings of an import. UTF-8 is the default. */
export const INPUT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

export type InputEncoding = (typeof INPUT_ENCODINGS)[number];

/**
 * Decodes the input to UTF-8 and removes its byte order mark. UTF-8 is passed on unchecked: the parsers check it row by
 * row, so that they can report where it is invalid.
 *
 * @param encoding the encoding stated by the caller
 * @throws {MalformedRequestError} the input is a workbook, or UTF-16 that was not stated, or not in the stated encoding
 */
export async function* decodeInput(
  pieces: AsyncIterable<Buffer>,
  encoding: InputEncoding | undefined,
  errors: InputErrors,
): AsyncGenerator<Buffer, void, undefined> {
  if (encoding !== undefined && encoding !== 'utf-8') {
    yield* transcode(pieces, encoding, errors);
    return;
  }
  let head: Buffer | undefined = NOTHING;
  for await (const piece of pieces) {
    if (head === undefined) {
      yield piece;
      continue;
    }
    head = head.length === 0 ? piece : Buffer.concat([head, piece]);
    if (head.length < ENOUGH_TO_TELL) continue;
    yield withoutMark(head, errors);
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield withoutMark(head, errors);
}

async function* transcode(
  pieces: AsyncIterable<Buffer>,
  encoding: InputEncoding,
  errors: InputErrors,
): AsyncGenerator<Buffer, void, undefined> {
  // The decoder removes the byte order mark.
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decoded = (piece?: Buffer): Buffer => {
    try {
      return Buffer.from(piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true }));
    } catch {
      throw errors.whole(say('not_encoding', { encoding: NAMES[encoding] }));
    }
  };
  for await (const piece of pieces) yield decoded(piece);
  yield decoded();
}

function withoutMark(head: Buffer, errors: InputErrors): Buffer {
  if (WORKBOOKS.some((mark) => head.subarray(0, mark.length).equals(mark)))
    throw errors.whole(say('is_workbook'));
  const utf16 = utf16Of(head);
  if (utf16 !== undefined) throw isUtf16(utf16, errors);
  return head.subarray(0, 3).equals(UTF8_MARK) ? head.subarray(3) : head;
}

/** Recognises UTF-16 by its byte order mark, or by the NUL in every second byte of Latin text. */
function utf16Of(head: Buffer): InputEncoding | undefined {
  const [first = 1, second = 1] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 && head.length > 1 ? 'utf-16be' : undefined;
}

function isUtf16(encoding: InputEncoding, errors: InputErrors): MalformedRequestError {
  return errors.whole(say('is_utf16', { encoding: NAMES[encoding], option: encoding }));
}

const NAMES: Readonly<Record<InputEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows-1252',
};
const NOTHING = Buffer.alloc(0);
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** The first bytes of `.xlsx` and `.ods` (ZIP), and of `.xls`. */
const WORKBOOKS = [Buffer.from('PK\x03\x04'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];
const ENOUGH_TO_TELL = 4;
