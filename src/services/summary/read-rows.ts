import { Writable } from 'node:stream';
import type { CallOptions, RecordSelection } from '../../gateways/redcap/crf-client.js';
import { RecordExporter, type ExportClient } from '../record-export/record-exporter.js';
import { CellReader } from './cell-reader.js';
import type { RowCells } from './row-cells.js';

/** Called with the header, then with each row. The cells are those of this row until the next one comes. */
export interface RowSink {
  header(names: readonly string[]): void;
  row(cells: RowCells): void;
}

/**
 * Reads records as REDCap's CSV in one pass. Memory: a chunk of the answer, and a row.
 *
 * @throws {CrfError} what `RecordExporter.open` and its body throw
 */
export async function readRows(
  client: ExportClient,
  selection: RecordSelection,
  sink: RowSink,
  call: CallOptions = {},
): Promise<void> {
  let hasHeader = false;
  const reader = new CellReader((cells) => {
    if (hasHeader) return sink.row(cells);
    hasHeader = true;
    const names = Array.from({ length: cells.count }, (_, index) => cells.text(index));
    sink.header(names.map((name) => name.replace(/^\uFEFF/, '')));
  });
  const body = await new RecordExporter(client).open({ ...selection, format: 'csv' }, call);
  await body.pipeTo(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        reader.push(chunk);
        done();
      },
      final: (done) => {
        reader.end();
        done();
      },
    }),
  );
}
