import { pipeline } from 'node:stream/promises';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import type { AuditedOptions } from '../audit-notes.js';
import { CsvFormulaGuard } from './csv-formula-guard.js';
import { firstByteOf } from '../streaming/first-byte.js';
import { generated } from '../streaming/generator-stream.js';
import type { ReaderPaceOptions } from '../streaming/reader-pace.js';
import { streamedAnswer } from '../streaming/streamed-answer.js';
import { CONTENT_TYPES } from './row-format.js';
import { rowsNoted, type RecordsBody } from './rows-answer.js';
import { rowBytes, type OutputRow, type RowForm } from './row-bytes.js';

export interface RowBodyOptions extends RowForm {
  /** CSV only: cells that a spreadsheet would interpret as formulas get a leading apostrophe (STR-05). */
  readonly spreadsheetSafe?: boolean | undefined;
  /** Minimum speed of the reader; none by default. */
  readonly pace?: ReaderPaceOptions | undefined;
}

/**
 * Opens a body of rows that this service generates itself. It is streamed at the speed of the reader, in bounded
 * memory.
 *
 * @param open creates the rows; its signal is aborted when the reader disconnects
 * @throws {CrfError} errors of the rows before the first bytes
 */
export async function openRowBody(
  open: (call: CallOptions) => AsyncIterable<OutputRow>,
  options: RowBodyOptions,
  { audit, ...call }: AuditedOptions = {},
): Promise<RecordsBody> {
  const onRows = rowsNoted(options, audit);
  const body = generated(call.signal, (signal) =>
    rowBytes(open({ ...call, signal }), { ...options, onRows }),
  );
  const { format, spreadsheetSafe, pace = { minBytesPerSecond: 0 } } = options;
  return streamedAnswer(await firstByteOf(body), {
    contentType: CONTENT_TYPES[format],
    pace,
    write: (sink) => (spreadsheetSafe ? pipeline(body, new CsvFormulaGuard(), sink) : pipeline(body, sink)),
  });
}
