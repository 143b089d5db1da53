import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';
import type { LogicNote } from '../../domain/logic/logic-problem.js';
import { AnswerStream } from '../../gateways/redcap/answer-stream.js';
import { watchCsvRows, watchJsonRows } from '../../gateways/redcap/row-watch.js';
import type { AuditNotes } from '../audit-notes.js';
import { CONTENT_TYPES, type RowFormat } from './row-format.js';
import { firstByteOf } from '../streaming/first-byte.js';
import { streamedAnswer, type StreamedAnswer } from '../streaming/streamed-answer.js';
import { CsvFormulaGuard } from './csv-formula-guard.js';
import { NdjsonStream } from './ndjson-stream.js';
import type { ReaderPaceOptions } from '../streaming/reader-pace.js';
import { writeWrapped } from '../streaming/write-body.js';

/** The form in which rows are written. */
export interface RowsForm {
  readonly format: RowFormat;
  /** NDJSON only: adds a last line which states that the export is complete: `{"_complete":true,"records":N}`. */
  readonly trailer?: boolean | undefined;
  /** CSV only: cells that a spreadsheet would interpret as formulas get a leading apostrophe (STR-05). */
  readonly spreadsheetSafe?: boolean | undefined;
  /**
   * JSON only: `true` (the default) wraps the rows as `{"data":[…]}`, as in the REST API; `false` writes the bare
   * array.
   */
  readonly hasEnvelope?: boolean | undefined;
  /** JSON in an envelope only: what follows the rows, the `cursor` of the next page. */
  readonly next?: string | undefined;
  /** CSV only. */
  readonly csvDelimiter?: CsvDelimiter | undefined;
  /** Called with the number of rows so far: those that have arrived of an answer that is passed on, and no fewer than were sent. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

/** An export whose first bytes have arrived. */
export interface RecordsBody extends StreamedAnswer {
  /** Parts of the filter logic that could not be checked; absent if there are none. */
  readonly filterNotes?: readonly LogicNote[] | undefined;
}

/** @throws {InvalidRequestError} an option belongs to another format */
export function checkRowsForm({ format, trailer, spreadsheetSafe }: RowsForm): void {
  if (trailer && format !== 'ndjson') throw new InvalidRequestError([TRAILER_RULE]);
  if (spreadsheetSafe && format !== 'csv') throw new InvalidRequestError([SAFE_RULE]);
}

/** Returns the format to request from REDCap. NDJSON is made from JSON. */
export function upstreamFormat({ format }: RowsForm): 'json' | 'csv' {
  return format === 'csv' ? 'csv' : 'json';
}

/** @returns what reports the number of rows to the caller and to the audit log; undefined if neither wants it */
export function rowsNoted(
  { onRows }: Pick<RowsForm, 'onRows'>,
  audit: AuditNotes | undefined,
): RowsForm['onRows'] {
  if (audit === undefined) return onRows;
  return (rows) => {
    audit.add({ rows });
    onRows?.(rows);
  };
}

/**
 * Opens the answer in the requested form once its first bytes are there.
 *
 * @param body REDCap's bytes: a JSON array or CSV
 * @param isReady whether the bytes are already in the requested form, and their rows are counted
 * @throws {CrfError} the body fails before that: as NDJSON before its first row is complete
 */
export async function rowsAnswer(
  form: RowsForm,
  body: Readable,
  pace: ReaderPaceOptions,
  isReady = false,
): Promise<StreamedAnswer> {
  const { format, onRows } = form;
  const isConverted = format === 'ndjson' && !isReady;
  const bytes = await firstByteOf(isConverted ? toNdjson(body, form) : body);
  return streamedAnswer(bytes, {
    contentType: CONTENT_TYPES[format],
    pace,
    write: (sink) => {
      if (onRows !== undefined && format !== 'ndjson' && !isReady) countRows(form, bytes, onRows);
      return write(form, bytes, sink);
    },
  });
}

/** Returns the rows as lines. The end or the failure of either stream is that of the other. */
function toNdjson(body: Readable, { trailer, onRows }: RowsForm): Readable {
  const lines = new NdjsonStream({ trailer, onRows });
  pipeline(body, lines).catch(() => undefined); // the reader of the lines receives the error
  return lines;
}

/**
 * Call it in the same turn of the event loop as what reads the body: listening starts the flow. The rows of REDCap's own
 * answer are followed where it arrives.
 */
function countRows({ format, csvDelimiter }: RowsForm, body: Readable, onRows: (rows: number) => void): void {
  const followed = body instanceof AnswerStream ? body.rows : undefined;
  const watch = followed ?? (format === 'csv' ? watchCsvRows(csvDelimiter) : watchJsonRows());
  onRows(0);
  body.on('data', (chunk: Buffer) => {
    if (followed === undefined) watch.take(chunk);
    onRows(watch.rows);
  });
  body.once('end', () => {
    if (followed === undefined) watch.isWhole();
    onRows(watch.rows);
  });
}

function write(form: RowsForm, body: Readable, sink: Writable): Promise<void> {
  const { format, spreadsheetSafe, csvDelimiter, hasEnvelope = true, next } = form;
  if (format === 'json' && hasEnvelope)
    return writeWrapped(body, sink, {
      before: '{"data":',
      after: next === undefined ? '}' : `,"next":${JSON.stringify(next)}}`,
    });
  if (spreadsheetSafe) return pipeline(body, new CsvFormulaGuard(csvDelimiter), sink);
  return pipeline(body, sink);
}

const TRAILER_RULE = { field: 'trailer', message: 'is for NDJSON only' };
const SAFE_RULE = { field: 'spreadsheetSafe', message: 'is for CSV only' };
