import { Readable } from 'node:stream';
import type { AnswerStream } from './answer-stream.js';
import { notAsAsked } from './classify-answer.js';
import type { CallOptions } from './call-options.js';
import { isCsvDelimiter } from './csv-delimiter.js';
import { CSV_FORM, CSV_LABEL_FORM, JSON_FORM, type ExportForm } from './export-form.js';
import type { RedcapWire } from './redcap-wire.js';
import { watchCsvRows } from './row-watch.js';
import type { WireParameters } from './wire-parameters.js';

/**
 * Opens the bytes of one export call.
 *
 * An export without rows is an empty body in CSV, but a broken server returns an empty body too. The same export is
 * therefore requested as JSON, where the answer must be `[]`. If that has rows, the CSV is requested once more: a
 * server under load sometimes returns an empty body.
 *
 * @throws {UpstreamInvalidError} the answer is not an export
 * @see docs/protocol/redcap.md 1.8 (client), 20 (issue)
 */
export async function openExport(
  wire: RedcapWire,
  parameters: WireParameters,
  call: CallOptions,
): Promise<Readable> {
  const options = { ...call, isSafe: true };
  const stream = await wire.stream(parameters, formOf(parameters), options);
  if (!stream.isEmpty) return stream;
  stream.resume();
  const asJson = { ...parameters, format: 'json', csvDelimiter: undefined, rawOrLabelHeaders: undefined };
  const confirmation = await wire.stream(asJson, JSON_FORM, options);
  if (await isEmptyArray(confirmation)) return Readable.from([], { objectMode: false });
  const again = await wire.stream(parameters, formOf(parameters), options);
  if (!again.isEmpty) return again;
  again.resume();
  throw notAsAsked('CSV, though there are rows');
}

function formOf({ format, rawOrLabelHeaders, csvDelimiter }: WireParameters): ExportForm {
  if (format === 'json') return JSON_FORM;
  const form = rawOrLabelHeaders === 'label' ? CSV_LABEL_FORM : CSV_FORM;
  return { ...form, watchRows: () => watchCsvRows(isCsvDelimiter(csvDelimiter) ? csvDelimiter : undefined) };
}

/** Reads only up to the second non-blank character. */
async function isEmptyArray(stream: AnswerStream): Promise<boolean> {
  let head = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    head += chunk.toString('latin1');
    if (/\[\s*\S/.test(head)) break;
  }
  return /\[\s*\]/.test(head);
}
