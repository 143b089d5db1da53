import { BACKSLASH, QUOTE } from '../../domain/bytes/json-scan.js';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import { csvCells, CsvRowSplitter } from '../../gateways/redcap/csv-row-splitter.js';
import { delimiterByte } from '../../gateways/redcap/csv-delimiter.js';
import { JsonArraySplitter } from '../../gateways/redcap/json-array-splitter.js';
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
  return plan.selection.format === 'json' ? jsonRows(plan, onRow) : new CsvRows(plan, onRow);
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

class CsvRows implements RowReader {
  readonly #plan: BatchPlan;
  readonly #onRow: OnRow;
  readonly #splitter: CsvRowSplitter;
  readonly #delimiter: number;
  #firstRow: Buffer | undefined;
  #idColumn = 0;

  constructor(plan: BatchPlan, onRow: OnRow) {
    this.#plan = plan;
    this.#onRow = onRow;
    this.#delimiter = delimiterByte(plan.selection.csvDelimiter);
    this.#splitter = new CsvRowSplitter(this.#delimiter);
  }

  get header(): Buffer | undefined {
    return this.#firstRow && Buffer.concat([this.#firstRow, Buffer.from(this.#splitter.lineEnd)]);
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk, this.#onSlice);
  }

  end(): void {
    this.#splitter.end(this.#onSlice);
  }

  readonly #onSlice = (source: Buffer, start: number, end: number): void => {
    const row = source.subarray(start, end);
    if (this.#firstRow === undefined) this.#readHeader(row);
    else this.#onRow(this.#idOf(row), row);
  };

  #readHeader(row: Buffer): void {
    this.#firstRow = row;
    const at = csvCells(row, this.#delimiter).indexOf(idColumnName(this.#plan));
    // Labels may repeat and may be altered in transit, but the id is always the first column.
    if (at === -1 && this.#plan.selection.rawOrLabelHeaders !== 'label') {
      throw new UpstreamInvalidError(
        "The header of REDCap's CSV lacks the record id, though it was asked for.",
      );
    }
    this.#idColumn = Math.max(at, 0);
  }

  #idOf(row: Buffer): string {
    const id = csvCells(row, this.#delimiter, this.#idColumn + 1)[this.#idColumn];
    if (id === undefined) throw new UpstreamInvalidError('A row of REDCap has fewer cells than the header.');
    return id;
  }
}

function idColumnName(plan: BatchPlan): string {
  const hasLabels = plan.selection.rawOrLabelHeaders === 'label' && plan.selection.type !== 'eav';
  return hasLabels ? plan.idField.label : idKey(plan);
}

/** Returns the name of the id column; in EAV it is `record`. @see docs/protocol/redcap.md 4.5 (client) */
function idKey({ selection, idField }: BatchPlan): string {
  return selection.type === 'eav' ? 'record' : idField.name;
}
