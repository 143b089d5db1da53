import type { RowFormat } from '../formats/row-format.js';
import type { Batch } from './batched-export.js';
import { BytePacker } from '../formats/byte-packer.js';
import { trailerLine } from '../formats/ndjson-stream.js';

/** Options for joining the rows of batches. */
export interface BatchBytesOptions {
  readonly format: RowFormat;
  /** NDJSON only: adds a last line which states that the export is complete. */
  readonly trailer?: boolean | undefined;
  /** Maximum number of rows. No further batches are requested after them. */
  readonly limit?: number | undefined;
  /** Called with the number of rows passed on so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

/**
 * Yields the bytes of a batched export. They equal those of an unbatched one, in large chunks whatever the row size.
 */
export async function* batchBytes(
  batches: AsyncIterable<Batch>,
  { format, trailer = false, limit = Infinity, onRows }: BatchBytesOptions,
): AsyncGenerator<Buffer, void, undefined> {
  let rows = 0;
  let lineEnd: Buffer = LINE_FEED;
  const chunks: Buffer[] = [];
  const packer = new BytePacker((chunk) => chunks.push(chunk));
  onRows?.(0);
  for await (const batch of batches) {
    if (format === 'csv' && rows === 0 && batch.header) {
      packer.add(batch.header);
      lineEnd = batch.header.subarray(batch.header.lastIndexOf(RETURN) === batch.header.length - 2 ? -2 : -1);
    }
    for (const row of batch.rows) {
      if (format === 'json') packer.add(rows === 0 ? OPENING : COMMA);
      packer.add(row);
      if (format !== 'json') packer.add(lineEnd);
      rows++;
      if (rows === limit) break;
      // Yields full chunks immediately, because a batch may be large.
      if (chunks.length > 0) yield* chunks.splice(0);
    }
    packer.flush();
    onRows?.(rows);
    yield* chunks.splice(0);
    if (rows === limit) break;
  }
  if (format === 'json') yield rows === 0 ? Buffer.from('[]') : Buffer.from(']');
  if (format === 'ndjson' && trailer) yield trailerLine(rows);
}

const RETURN = 0x0d;
const LINE_FEED = Buffer.from('\n');
const OPENING = Buffer.from('[');
const COMMA = Buffer.from(',');
