import { MalformedRequestError } from '../../errors/malformed-request-error.js';
import type { ImportEvent, SentRow } from './import-event.js';
import { parseFlatRow } from './parse-flat-row.js';

/**
 * Reads NDJSON: a row a line. Blank lines are passed over, as is the last line of an export, which says that it is
 * complete. A line is held until it is whole, at most `maxRowBytes` of it.
 *
 * @throws {MalformedRequestError} naming the record by its number
 */
export async function* parseNdjsonImport(
  pieces: AsyncIterable<Buffer>,
  maxRowBytes: number,
): AsyncGenerator<ImportEvent, void, undefined> {
  let position = 0;
  for await (const line of linesOf(pieces, maxRowBytes, () => position + 1)) {
    if (isBlank(line)) continue;
    const row = parseFlatRow(line, position + 1);
    if (isTrailer(row)) continue;
    position++;
    yield { kind: 'row', row, bytes: line.length };
  }
}

async function* linesOf(
  pieces: AsyncIterable<Buffer>,
  maxRowBytes: number,
  position: () => number,
): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isFirst = true;
  for await (const piece of pieces) {
    let start = 0;
    while (start < piece.length) {
      const at = piece.indexOf(LINE_FEED, start);
      const end = at === -1 ? piece.length : at;
      heldBytes += end - start;
      if (heldBytes > maxRowBytes) throw tooLarge(position());
      held.push(piece.subarray(start, end));
      start = end + 1;
      if (at === -1) {
        // A line that drips in byte by byte must not become a list of a million buffers.
        if (held.length >= MANY_PIECES) held = [Buffer.concat(held)];
        continue;
      }
      yield joined(held, isFirst);
      isFirst = false;
      held = [];
      heldBytes = 0;
    }
  }
  if (heldBytes > 0) yield joined(held, isFirst);
}

function joined(parts: readonly Buffer[], isFirst: boolean): Buffer {
  const [only, ...others] = parts;
  const line = only !== undefined && others.length === 0 ? only : Buffer.concat(parts);
  return isFirst && line.subarray(0, 3).equals(BYTE_ORDER_MARK) ? line.subarray(3) : line;
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** `{"_complete":true,"records":N}`, and nothing else: a row that has more is one. */
function isTrailer(row: SentRow): boolean {
  return row['_complete'] === true && typeof row['records'] === 'number' && Object.keys(row).length === 2;
}

function tooLarge(position: number): MalformedRequestError {
  return new MalformedRequestError(
    `Record number ${position} of the body is larger than this service reads.`,
  );
}

const LINE_FEED = 0x0a;
const MANY_PIECES = 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
