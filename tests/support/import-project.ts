import { Readable } from 'node:stream';
import { BLANK_FIELD, type Field } from '../../src/domain/dictionary/field.js';
import type { ImportDataOptions, ImportResult, ProjectInfo } from '../../src/gateways/redcap/crf-client.js';
import type { ImportRequest, ImportOutcome, RecordWriter } from '../../src/services/record-writer.js';

export type Row = Record<string, string | number | boolean | null>;

/** The rows and options of one call to the project. */
export interface Call {
  readonly rows: readonly Row[];
  readonly options: ImportDataOptions;
}

/** A project that records its calls, and fails when told to. */
export class ImportProject {
  readonly calls: Call[] = [];
  /** Runs before each call is stored, with its number from 0. */
  before: (call: number) => void | Promise<void> = () => undefined;

  get rows(): readonly Row[] {
    return this.calls.flatMap(({ rows }) => rows);
  }

  readonly events = { list: () => Promise.resolve([]) };
  readonly instruments = {
    list: () => Promise.resolve([{ name: 'visit', label: 'Visit' }]),
  };
  readonly mappings = { list: () => Promise.resolve([]) };
  readonly repeating = {
    list: () =>
      Promise.resolve(
        this.repeatingInstruments.map((instrument) => ({ event: '', instrument, customLabel: '' })),
      ),
  };
  readonly dags = {
    list: () =>
      Promise.resolve(this.groups.map((uniqueName) => ({ name: uniqueName, uniqueName, id: undefined }))),
  };
  /** The repeating instruments, and the unique names of the groups. */
  repeatingInstruments: readonly string[] = [];
  groups: readonly string[] = [];

  /** The missing data codes of the project. */
  missingDataCodes = '';

  readonly fields = { list: (): Promise<Field[]> => Promise.resolve(FIELDS) };

  readonly project = {
    getInfo: (): Promise<ProjectInfo> => {
      const { missingDataCodes, repeatingInstruments } = this;
      return Promise.resolve({
        missingDataCodes,
        hasRepeatingInstrumentsOrEvents: repeatingInstruments.length > 0,
      } as ProjectInfo);
    },
  };

  checkImport(): Promise<void> {
    return Promise.resolve();
  }

  async importData(data: string | Buffer, options: ImportDataOptions): Promise<ImportResult> {
    const rows = JSON.parse(String(data)) as Row[];
    const number = this.calls.push({ rows, options }) - 1;
    await this.before(number);
    const ids = [...new Set(rows.map((row) => String(row['record_id'] ?? row['record'])))];
    return options.returnContent === 'ids' ? { count: ids.length, ids } : { count: ids.length };
  }
}

export function field(name: string, more: Partial<Field> = {}): Field {
  return { ...BLANK_FIELD, name, instrument: 'visit', label: name, ...more };
}

export const FIELDS: Field[] = [
  field('record_id'),
  field('age', { validationType: 'integer', validationMin: '18', validationMax: '99' }),
  field('seen', { validationType: 'date_dmy' }),
  field('sex', { type: 'radio', choicesOrCalculations: '1, Female | 2, Male' }),
  field('sites', { type: 'checkbox', choicesOrCalculations: '1, A | 2, B' }),
  field('bmi', { type: 'calc', choicesOrCalculations: '[age]' }),
  field('scan', { type: 'file' }),
  field('intro', { type: 'descriptive' }),
  field('note', { type: 'notes' }),
];

/** Returns a valid record id. */
export function id(number: number): string {
  return `COHORT-2026-PARTICIPANT-${String(number).padStart(6, '0')}`;
}

export function rowsOf(count: number): Row[] {
  return Array.from({ length: count }, (_, at) => ({ record_id: id(at), age: String(20 + (at % 50)) }));
}

/** Writes rows as a body in each format. Cells of CSV are quoted. */
export const BODY_OF = {
  json: (rows: readonly Row[]): string => JSON.stringify({ records: rows }),
  ndjson: (rows: readonly Row[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  csv: (rows: readonly Row[]): string => {
    const header = Object.keys(rows[0] ?? {});
    const quoted = (text: unknown): string => `"${String(text).replaceAll('"', '""')}"`;
    return [header.join(','), ...rows.map((row) => header.map((name) => quoted(row[name])).join(','))].join(
      '\r\n',
    );
  },
};

export const FORMATS = ['json', 'ndjson', 'csv'] as const;

/** Imports a text or bytes. */
export function write(
  writer: RecordWriter,
  body: string | Buffer | readonly Buffer[],
  request: Partial<ImportRequest> = {},
  idempotencyKey?: string,
  signal?: AbortSignal,
): Promise<ImportOutcome> {
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : Buffer.isBuffer(body) ? [body] : body;
  const source = Readable.from(chunks, { objectMode: false });
  return writer.write(
    source,
    { format: 'json', ...request },
    { idempotencyKey, scope: 'tester' },
    { signal },
  );
}
