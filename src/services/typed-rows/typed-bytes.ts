import { setImmediate } from 'node:timers/promises';
import { CHUNKS_A_TURN, closingOf, openingOf, type RowForm } from '../row-output/row-bytes.js';
import type { RowByteTyper } from './row-byte-typer.js';

/**
 * Writes rows of REDCap with typed values, as JSON or NDJSON, in chunks of about 64 KiB. Yields to other requests between
 * chunks.
 */
export async function* typedBytes(
  groups: AsyncIterable<readonly Buffer[]>,
  typer: RowByteTyper,
  form: RowForm,
): AsyncGenerator<Buffer, void, undefined> {
  const [between, behind] = form.format === 'json' ? [',', ''] : ['', '\n'];
  let [count, chunks] = [0, 0];
  typer.addText(openingOf(form));
  for await (const rows of groups) {
    for (const row of rows) {
      if (count++ > 0) typer.addText(between);
      typer.add(row);
      typer.addText(behind);
    }
    if (count === 0 || typer.length < CHUNK_BYTES) continue;
    form.onRows?.(count);
    yield typer.take();
    if (++chunks % CHUNKS_A_TURN === 0) await setImmediate();
  }
  form.onRows?.(count);
  typer.addText(closingOf(form, count));
  yield typer.take();
}

const CHUNK_BYTES = 64 * 1024;
