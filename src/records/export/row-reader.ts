import { BACKSLASH, QUOTE } from '../../domain/bytes/json-scan.js';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import { csvCells, CsvRowSplitter } from '../../gateways/redcap/csv-row-splitter.js';
import { delimiterByte } from '../../gateways/redcap/csv-delimiter.js';
import { JsonArraySplitter, type OnSlice } from '../../gateways/redcap/json-array-splitter.js';
import type { BatchPlan } from './batch-plan.js';
import { recordIdOf } from '../../gateways/redcap/record-row.js';
import { parseRow } from '../formats/parse-row.js';

/** Called for each row with its record and its bytes, which never change later. */
export type OnRow = (id: string, row: Buffer) => void;

/** Reads the rows of one answer in either format. */
export interface RowReader {
  push(chunk: Buffer): void;
  /** @throws {UpstreamInvalidError} the answer is incomplete */
  end(): void;
  /** CSV only, and only after the first row: the header with its line end. */
  readonly header: Buffer | undefined;
}

/** Creates the reader for the format of a plan, which passes each row with its record id to `onRow`. */
export function rowReaderFor(plan: BatchPlan, onRow: OnRow): RowReader {
  return plan.selection.format === 'json' ? jsonRows(plan, onRow) : csvRows(plan, onRow);
}

function jsonRows(plan: BatchPlan, onRow: OnRow): RowReader {
  const splitter = new JsonArraySplitter();
  const key = idKey(plan);
  const opening = Buffer.from(`{${JSON.stringify(key)}:"`);
  // REDCap writes the id first, so most rows need no parser. One with an escape does.
  const idOf = (row: Buffer): string => {
    const end = row.indexOf(QUOTE, opening.length);
    const isFirst = end !== -1 && row.subarray(0, opening.length).equals(opening);
    const id = row.subarray(opening.length, end);
    return isFirst && !id.includes(BACKSLASH) ? id.toString('utf8') : recordIdOf(parseRow(row), key);
  };
  return {
    push: (chunk) =>
      splitter.push(chunk, (source, start, end) => {
        const row = source.subarray(start, end);
        onRow(idOf(row), row);
      }),
    end: () => splitter.end(),
    header: undefined,
  };
}

function csvRows(plan: BatchPlan, onRow: OnRow): RowReader {
  const delimiter = delimiterByte(plan.selection.csvDelimiter);
  const splitter = new CsvRowSplitter(delimiter);
  let [firstRow, idColumn]: [Buffer | undefined, number] = [undefined, 0];
  const readHeader = (row: Buffer): void => {
    firstRow = row;
    const at = csvCells(row, delimiter).indexOf(idColumnName(plan));
    // Labels may repeat and may be altered in transit, but the id is always the first column.
    if (at === -1 && plan.selection.rawOrLabelHeaders !== 'label')
      throw new UpstreamInvalidError(
        "The header of REDCap's CSV lacks the record id, though it was asked for.",
      );
    idColumn = Math.max(at, 0);
  };
  const idOf = (row: Buffer): string => {
    const id = csvCells(row, delimiter, idColumn + 1)[idColumn];
    if (id === undefined) throw new UpstreamInvalidError('A row of REDCap has fewer cells than the header.');
    return id;
  };
  const onSlice: OnSlice = (source, start, end) => {
    const row = source.subarray(start, end);
    if (firstRow === undefined) readHeader(row);
    else onRow(idOf(row), row);
  };
  return {
    push: (chunk) => splitter.push(chunk, onSlice),
    end: () => splitter.end(onSlice),
    get header() {
      return firstRow && Buffer.concat([firstRow, Buffer.from(splitter.lineEnd)]);
    },
  };
}

function idColumnName(plan: BatchPlan): string {
  const hasLabels = plan.selection.rawOrLabelHeaders === 'label' && plan.selection.type !== 'eav';
  return hasLabels ? plan.idField.label : idKey(plan);
}

/** Returns the name of the id column; in EAV it is `record`. @see docs/protocol/redcap.md 4.5 (client) */
function idKey({ selection, idField }: BatchPlan): string {
  return selection.type === 'eav' ? 'record' : idField.name;
}
