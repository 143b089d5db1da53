import { Writable } from 'node:stream';
import { heard } from '../../domain/bytes/heard.js';
import type { CallOptions, RecordSelection } from '../../gateways/redcap/crf-client.js';
import { RecordExporter, type ExportClient } from '../../records/export/record-exporter.js';
import { CellReader } from './cell-reader.js';
import type { RowCells } from './row-cells.js';

/** Receives the header and then each row. The cells are valid until the next row. */
export interface RowSink {
  header(names: readonly string[]): void;
  row(cells: RowCells): void;
}

/**
 * Reads records from REDCap's CSV in one pass. Memory: a chunk of the answer, and a row.
 *
 * @throws {CrfError} errors of `RecordExporter.open` and of its body
 */
export async function readRows(
  client: ExportClient,
  selection: RecordSelection,
  sink: RowSink,
  call: CallOptions,
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
    heard(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => attempt(() => reader.push(chunk), done),
        final: (done) => attempt(() => reader.end(), done),
      }),
    ),
  );
}

/** What a stream throws instead of passing it on would reach nobody. */
function attempt(work: () => void, done: (error?: Error) => void): void {
  try {
    work();
  } catch (error) {
    return done(error as Error);
  }
  done();
}
