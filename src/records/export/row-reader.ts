import { UpstreamInvalidError } from '../../errors/upstream-errors.js';
import { delimiterByte } from '../../gateways/redcap/csv-delimiter.js';
import type { BatchPlan } from './batch-plan.js';
import { csvCells } from '../../gateways/redcap/csv-cells.js';
import { CsvRowSplitter } from '../../gateways/redcap/csv-row-splitter.js';
import { JsonIdReader } from './json-id-reader.js';
import { JsonArraySplitter } from '../../gateways/redcap/json-array-splitter.js';

/** Called for each row with its record and its bytes, as in `OnSlice`. */
export type OnRow = (id: string, source: Buffer, start: number, end: number) => void;

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
  const reader = new JsonIdReader(idKey(plan));
  const onRecord = (source: Buffer, start: number, end: number): void => {
    onRow(reader.read(source, start, end), source, start, end);
  };
  return {
    push: (chunk) => splitter.push(chunk, onRecord),
    end: () => splitter.end(),
    header: undefined,
  };
}

class CsvRows implements RowReader {
  readonly #plan: BatchPlan;
  readonly #onRow: OnRow;
  readonly #splitter = new CsvRowSplitter();
  readonly #delimiter: number;
  #firstRow: Buffer | undefined;
  #idColumn = 0;

  constructor(plan: BatchPlan, onRow: OnRow) {
    this.#plan = plan;
    this.#onRow = onRow;
    this.#delimiter = delimiterByte(plan.selection.csvDelimiter);
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
    else this.#onRow(this.#idOf(row), source, start, end);
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
