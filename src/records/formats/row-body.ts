import { pipeline } from 'node:stream/promises';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import { abortionOf } from '../../gateways/redcap/cancellation.js';
import type { AuditedOptions } from '../audit-notes.js';
import { CsvFormulaGuard } from './csv-formula-guard.js';
import { firstByteOf } from '../streaming/first-byte.js';
import { GeneratorStream } from '../streaming/generator-stream.js';
import { watchReader, type ReaderPaceOptions } from '../streaming/reader-pace.js';
import { rowsNoted } from './rows-answer.js';
import type { RecordsBody } from './rows-answer.js';
import { writeBody } from '../streaming/write-body.js';
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
  const leaving = new AbortController();
  const signal = call.signal ? AbortSignal.any([call.signal, leaving.signal]) : leaving.signal;
  const rows = open({ ...call, signal });
  const bytes = rowBytes(rows, { ...options, onRows: rowsNoted(options, audit) });
  const body = new GeneratorStream(bytes, () => leaving.abort());
  const onAbort = (): void => void body.destroy(abortionOf(signal));
  call.signal?.addEventListener('abort', onAbort, { once: true });
  body.once('close', () => call.signal?.removeEventListener('abort', onAbort));
  await firstByteOf(body);
  const { spreadsheetSafe, pace = { minBytesPerSecond: 0 } } = options;
  return {
    contentType: CONTENT_TYPES[options.format],
    cancel: () => void body.destroy(),
    pipeTo: async (sink, bytesTaken) => {
      const stopWatching = bytesTaken && watchReader(sink, bytesTaken, pace);
      try {
        await writeBody(body, sink, () =>
          spreadsheetSafe ? pipeline(body, new CsvFormulaGuard(), sink) : pipeline(body, sink),
        );
      } finally {
        stopWatching?.();
      }
    },
  };
}

const CONTENT_TYPES = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const;
