import type { ProjectStructure } from '../../dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import { textOf } from './record-view.js';

/**
 * Yields the records of an export with all their rows. REDCap exports the rows of a record one after the other.
 *
 * @param exported the rows of the export
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
    rows.push(row);
  }
  if (id !== undefined) yield [id, rows];
}
