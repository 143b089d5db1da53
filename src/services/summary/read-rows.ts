import { Writable } from 'node:stream';
import { heard } from '../../domain/bytes/heard.js';
import type { CallOptions, RecordSelection } from '../../gateways/redcap/crf-client.js';
import { delimiterByte } from '../../gateways/redcap/csv-delimiter.js';
import { csvCells, CsvRowSplitter } from '../../gateways/redcap/csv-row-splitter.js';
import { RecordExporter, type ExportClient } from '../../records/export/record-exporter.js';

/** The cells of a row, in the order of the header. */
export type Cells = readonly string[];

/** Receives the header and then each row. */
export interface RowSink {
  header(names: readonly string[]): void;
  row(cells: Cells): void;
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
  const splitter = new CsvRowSplitter(COMMA);
  let hasHeader = false;
  const onRow = (source: Buffer, start: number, end: number): void => {
    const cells = cellsOf(source.subarray(start, end));
    if (hasHeader) return sink.row(cells);
    hasHeader = true;
    sink.header(cells);
  };
  const body = await new RecordExporter(client).open({ ...selection, format: 'csv' }, call);
  await body.pipeTo(
    heard(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => attempt(() => splitter.push(chunk, onRow), done),
        final: (done) => attempt(() => splitter.end(onRow), done),
      }),
    ),
  );
}

const COMMA = delimiterByte(',');

/** Returns the cells of a row. Most rows have no quotes, and are split many times faster. */
export function cellsOf(row: Buffer): string[] {
  const text = row.toString();
  return /["\uFEFF]/.test(text) ? csvCells(row, COMMA) : text.split(',');
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
