import type { ProjectStructure } from '../../dictionary/project-structure.js';
import type { CrfClient, RecordRow, StreamRecordsOptions } from '../../gateways/redcap/crf-client.js';
import { textOf } from './record-view.js';

/** Records of an export with all their rows, one after another. @see docs/protocol/redcap.md 4.3 (wire): rows of one record follow each other */
export async function* recordsOf(
  source: Pick<CrfClient, 'streamRecords'>,
  { dictionary }: ProjectStructure,
  selection: StreamRecordsOptions,
): AsyncGenerator<readonly [id: string, rows: RecordRow[]], void, undefined> {
  const idField = dictionary.recordIdField?.name ?? '';
  let [id, rows]: [string | undefined, RecordRow[]] = [undefined, []];
  for await (const row of source.streamRecords(selection)) {
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
