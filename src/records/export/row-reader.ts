import { endOfText } from '../../domain/bytes/json-scan.js';
import { UpstreamInvalidError } from '../../domain/errors/upstream-errors.js';
import { csvCells, CsvRowSplitter } from '../../gateways/redcap/csv-row-splitter.js';
import { delimiterByte } from '../../gateways/redcap/csv-delimiter.js';
import { JsonArraySplitter } from '../../gateways/redcap/json-array-splitter.js';
import type { BatchPlan } from './batch-plan.js';
import { recordIdOf } from '../../gateways/redcap/record-row.js';
import { parseRow } from '../formats/parse-row.js';

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

/** Called with an id, whose bytes are those of `source` from `start` to `end` (exclusive). */
export type OnId = (source: Buffer, start: number, end: number) => void;

/** Finds the record id in the JSON of rows. REDCap writes it first, so the rest of the row is not scanned. */
export class JsonIdReader {
  readonly #key: string;
  readonly #opening: Buffer;

  /** @param key the name of the id property */
  constructor(key: string) {
    this.#key = key;
    this.#opening = Buffer.from(`{${JSON.stringify(key)}:"`);
  }

  /** Returns the id of the row whose bytes are those of `source` from `start` to `end` (exclusive). */
  read(source: Buffer, start: number, end: number): string {
    const from = start + this.#opening.length;
    const to = this.#endOfFirst(source, start, end);
    return to === undefined
      ? recordIdOf(parseRow(source.subarray(start, end)), this.#key)
      : source.toString('utf8', from, to);
  }

  /** Finds the id like `read`, but passes on its bytes, so that usually nothing is allocated for a row. */
  locate(source: Buffer, start: number, end: number, onId: OnId): void {
    const to = this.#endOfFirst(source, start, end);
    if (to !== undefined) {
      onId(source, start + this.#opening.length, to);
      return;
    }
    const id = Buffer.from(this.read(source, start, end));
    onId(id, 0, id.length);
  }

  /** Returns the end of the id if it comes first and contains no escape, which would require a parser. */
  #endOfFirst(source: Buffer, start: number, end: number): number | undefined {
    const opening = this.#opening;
    for (let at = 0; at < opening.length; at++) if (source[start + at] !== opening[at]) return undefined;
    const to = endOfText(source, start + opening.length);
    return to === -1 || to >= end ? undefined : to;
  }
}
