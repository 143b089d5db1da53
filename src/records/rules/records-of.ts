import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import { textOf } from './record-view.js';

/** The most rows of one record that are held at the same time: more than anybody fills in, and far below the memory. */
const MOST_ROWS = 100_000;

/** @throws {UpstreamInvalidError} so many rows of one record are held that no more fit */
export function checkRowsHeld(count: number): void {
  if (count < MOST_ROWS) return;
  throw new UpstreamInvalidError(
    `A record has more than ${MOST_ROWS} rows, which cannot be held in memory. Export it as it is instead.`,
  );
}

/**
 * Yields the records of an export with all their rows. REDCap exports the rows of a record one after the other.
 *
 * @param exported the rows of the export
 * @throws {UpstreamInvalidError} a record has more than 100,000 rows
 * @see docs/protocol/redcap.md 4.3 (wire)
 */
export async function* recordsOf(
  exported: AsyncIterable<RecordRow>,
  { dictionary }: ProjectStructure,
): AsyncGenerator<readonly [id: string, rows: RecordRow[]], void, undefined> {
  const idField = dictionary.recordIdField?.name ?? '';
  let [id, rows]: [string | undefined, RecordRow[]] = [undefined, []];
  for await (const row of exported) {
    const next = textOf(row, idField);
    if (id !== undefined && next !== id) {
      yield [id, rows];
      rows = [];
    }
    id = next;
    checkRowsHeld(rows.length);
    rows.push(row);
  }
  if (id !== undefined) yield [id, rows];
}
