import { Readable } from 'node:stream';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { UpstreamInvalidError } from '../domain/errors/upstream-errors.js';
import type { OpenRecordsOptions, RecordSelection } from '../gateways/redcap/crf-client.js';
import { csvCells, CsvRowSplitter } from '../gateways/redcap/csv-row-splitter.js';
import { delimiterByte } from '../gateways/redcap/csv-delimiter.js';
import { JsonArraySplitter, type OnSlice } from '../gateways/redcap/json-array-splitter.js';
import { parseRow } from '../records/formats/parse-row.js';
import { toUpstreamError } from '../records/streaming/chunks-of.js';
import type { RowColumns } from './row-columns.js';
import type { VisibleSelection } from './visible-selection.js';

/** Whether REDCap's own answer to the names of the selection is that of the view, for the records of the view. */
export function isAsItIs(
  whole: ProjectStructure,
  shown: ProjectStructure,
  { isWhole }: VisibleSelection,
  options: RecordSelection,
): boolean {
  if (whole.hasRepeats !== shown.hasRepeats || options.exportSurveyFields === true) return false;
  const { fields, instruments } = whole.dictionary;
  const isAllVisible =
    fields.length === shown.dictionary.fields.length &&
    instruments.length === shown.dictionary.instruments.length &&
    whole.events.length === shown.events.length;
  if (!isAllVisible && (whole.isLongitudinal || whole.hasRepeats)) return false;
  const isEav = options.type === 'eav';
  // An export of named fields has a line for each id and event.
  if (isEav && isWhole && whole.hasRepeats) return false;
  const hasWords =
    isEav ||
    options.rawOrLabel === 'label' ||
    options.rawOrLabelHeaders === 'label' ||
    options.decimalCharacter !== undefined;
  if (!hasWords) return true;
  return shown.dictionary.fields.every(({ name, type, label, choicesOrCalculations }) => {
    const field = whole.dictionary.field(name);
    return (
      field?.type === type && field.label === label && field.choicesOrCalculations === choicesOrCalculations
    );
  });
}

/** @throws {UpstreamInvalidError} REDCap sent a column that was not asked for, before any of it has left */
export function checkNames(names: readonly string[], columns: RowColumns): void {
  if (!names.every((name) => columns.isKnown(name)))
    throw new UpstreamInvalidError('An export of REDCap has a column that was not asked for.');
}

/**
 * Checks the columns of an answer before its first byte leaves.
 *
 * @returns a stream of the same bytes
 * @throws {UpstreamInvalidError} REDCap sent a column that was not asked for
 */
export async function checked(
  body: Readable,
  { format, csvDelimiter, rawOrLabelHeaders }: OpenRecordsOptions,
  columns: RowColumns,
): Promise<Readable> {
  const check = (names: readonly string[]): void => checkNames(names, columns);
  if (format === 'json')
    return withHead(body, new JsonArraySplitter(), (row) => check(Object.keys(parseRow(row))));
  // The labels of a header say nothing about its columns.
  if (rawOrLabelHeaders === 'label') return body;
  const delimiter = delimiterByte(csvDelimiter);
  return withHead(body, new CsvRowSplitter(delimiter), (header) => check(csvCells(header, delimiter)));
}

/**
 * Reads a stream up to its first row, or the header of CSV.
 *
 * @returns a stream of the same bytes
 */
async function withHead(
  body: Readable,
  splitter: { push(chunk: Buffer, onRow: OnSlice): void },
  check: (head: Buffer) => void,
): Promise<Readable> {
  const held: Buffer[] = [];
  let isChecked = false;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      held.push(chunk);
      splitter.push(chunk, (bytes, start, end) => {
        if (!isChecked) check(bytes.subarray(start, end));
        isChecked = true;
      });
      if (isChecked) break;
    }
  } catch (error) {
    body.destroy();
    throw toUpstreamError(error);
  }
  if (!isChecked || body.readableEnded) return Readable.from(held, { objectMode: false });
  body.unshift(Buffer.concat(held));
  return body;
}
