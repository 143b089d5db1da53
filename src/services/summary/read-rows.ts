import { Writable } from 'node:stream';
import type { CallOptions, RecordSelection } from '../../gateways/redcap/crf-client.js';
import { CsvRowSplitter } from '../record-export/csv-row-splitter.js';
import { RecordExporter, type ExportClient } from '../record-export/record-exporter.js';
import { RowCells } from './row-cells.js';

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
  const cells = new RowCells();
  const splitter = new CsvRowSplitter();
  let hasHeader = false;
  const onRow = (source: Buffer, start: number, end: number): void => {
    cells.read(source, start, end);
    if (hasHeader) return sink.row(cells);
    hasHeader = true;
    const names = Array.from({ length: cells.count }, (_, index) => cells.text(index));
    sink.header(names.map((name) => name.replace(/^\uFEFF/, '')));
  };
  const body = await new RecordExporter(client).open({ ...selection, format: 'csv' }, call);
  await body.pipeTo(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        splitter.push(chunk, onRow);
        done();
      },
      final: (done) => {
        splitter.end(onRow);
        done();
      },
    }),
  );
}
