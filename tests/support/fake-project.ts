import { Readable } from 'node:stream';
import { BLANK_FIELD, type Field } from '../../src/domain/dictionary/field.js';
import type { BatchClient } from '../../src/records/export/batch-plan.js';
import type { OpenRecordsOptions, RecordRow } from '../../src/gateways/redcap/crf-client.js';

export const ID_FIELD: Field = {
  ...BLANK_FIELD,
  name: 'record_id',
  instrument: 'base',
  label: 'Record ID',
};

/** Replaces the answer to a call, or throws. `call` counts from 0; the listing of ids is call 0. */
export type Fault = (answer: Buffer, call: number, options: OpenRecordsOptions) => Buffer | Readable;

/** A client whose project is an array of rows. It records its calls and every stream that it returned. */
export class FakeProject implements BatchClient {
  readonly calls: OpenRecordsOptions[] = [];
  readonly bodies: Readable[] = [];
  readonly #rows: readonly RecordRow[];
  readonly #fault: Fault;
  readonly #chunkBytes: number;

  constructor(rows: readonly RecordRow[], fault: Fault = (answer) => answer, chunkBytes = 64 * 1024) {
    this.#rows = rows;
    this.#fault = fault;
    this.#chunkBytes = chunkBytes;
  }

  /** The ids requested by each batch. */
  get batches(): (readonly string[])[] {
    return this.calls.slice(1).map(({ records = [] }) => records);
  }

  readonly fields = { list: (): Promise<Field[]> => Promise.resolve([ID_FIELD]) };

  async openRecords(options: OpenRecordsOptions): Promise<Readable> {
    const call = this.calls.push(options) - 1;
    const answer = this.#fault(this.answerTo(options), call, options);
    const body = Buffer.isBuffer(answer) ? readableOf(answer, this.#chunkBytes) : answer;
    this.bodies.push(body);
    const onAbort = (): void => void body.destroy();
    options.signal?.addEventListener('abort', onAbort, { once: true });
    body.once('close', () => options.signal?.removeEventListener('abort', onAbort));
    return body;
  }

  /** Returns what REDCap would answer. */
  answerTo({ format, records, fields }: OpenRecordsOptions): Buffer {
    const rows = this.#rows
      .filter((row) => records === undefined || records.includes(String(row['record_id'])))
      .map((row) => (fields === undefined ? row : pick(row, fields)));
    return Buffer.from(format === 'json' ? JSON.stringify(rows) : toCsv(rows));
  }
}

/** Returns a stream of bytes, split into chunks at arbitrary positions. */
export function readableOf(bytes: Buffer, chunkBytes: number): Readable {
  return Readable.from(chunksOf(bytes, chunkBytes), { objectMode: false });
}

/** Returns a stream that fails after the given bytes. */
export function brokenAfter(bytes: Buffer, error: Error): Readable {
  return Readable.from(
    (async function* () {
      if (bytes.length > 0) yield bytes;
      throw error;
    })(),
    { objectMode: false },
  );
}

export function chunksOf(bytes: Buffer, chunkBytes: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
}

/** Returns the given number of records, with ids of at least 20 characters. */
export function recordsOf(count: number, extra: RecordRow = {}): RecordRow[] {
  return Array.from({ length: count }, (_, index) => ({
    record_id: `STUDY-RECORD-${String(index).padStart(8, '0')}`,
    age: String(20 + index),
    ...extra,
  }));
}

function pick(row: RecordRow, fields: readonly string[]): RecordRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)));
}

function toCsv(rows: readonly RecordRow[]): string {
  const [first] = rows;
  if (first === undefined) return '\n';
  const lines = rows.map((row) => Object.values(row).map(toCell).join(','));
  return [Object.keys(first).join(','), ...lines].map((line) => `${line}\n`).join('');
}

function toCell(value: string | number): string {
  return /[",\s]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
}
