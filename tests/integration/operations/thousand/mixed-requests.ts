import { parse } from 'csv-parse/sync';
import type { SeededRandom } from '../../../../src/sandbox/demo-study/made-up.js';
import type { Sending, WholeAnswer } from './send.js';

/** The selection of an export. */
export interface ExportAsked {
  readonly records: readonly string[];
  readonly fields: readonly string[];
}

/** One request of the mix. */
export type Mixed =
  | { readonly kind: 'export'; readonly sending: Sending; readonly asked: ExportAsked }
  | { readonly kind: 'import'; readonly sending: Sending; readonly marks: readonly string[] }
  /** The content of a correct answer. */
  | { readonly kind: 'read'; readonly sending: Sending; readonly data: unknown }
  | { readonly kind: 'bad'; readonly sending: Sending; readonly status: number };

const MEDIA_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
const FORMATS = ['json', 'ndjson', 'csv'] as const;
const FIELDS = ['age', 'sex', 'email', 'first_name', 'site', 'languages', 'education'];

const READS: readonly [Mixed, ...Mixed[]] = [
  read('/api/v1/project/version', { version: '16.1.9' }),
  read('/api/v1/people/ADA.Lovelace@example.org', {
    id: 'ada.lovelace',
    email: 'ada.lovelace@example.org',
    source: 'records',
  }),
  read('/health', undefined),
  read('/health/ready', undefined),
];

const BAD: readonly [Mixed, ...Mixed[]] = [
  bad('GET', '/api/v1/records?filterlogic=x', 400),
  bad('GET', '/api/v1/nowhere', 404),
  bad('GET', '/api/v1/records', 406, { accept: 'image/png' }),
  bad('GET', '/api/v1/records', 401, { authorization: 'Bearer crf_wrong' }),
  bad('POST', '/api/v1/records', 415, { 'content-type': 'image/png' }, 'x'),
  bad('POST', '/api/v1/records', 400, { 'content-type': 'application/json' }, '{"records": [{'),
  bad('POST', '/api/v1/project/version', 405),
];

/** Creates random requests of every kind. */
export class RequestMix {
  #imports = 0;

  /**
   * @param name starts the mark of each imported record
   * @param records those that may be exported, which nothing changes
   */
  constructor(
    private readonly random: SeededRandom,
    private readonly name: string,
    private readonly records: readonly string[],
    private readonly moreReads: readonly Mixed[],
  ) {}

  next(): Mixed {
    const chance = this.random.next();
    if (chance < 0.4) return this.#export();
    if (chance < 0.7) return this.#import();
    return chance < 0.9 ? this.random.pick([...READS, ...this.moreReads]) : this.random.pick(BAD);
  }

  #export(): Mixed {
    const asked = { records: this.#some(this.records), fields: ['record_id', ...this.#some(FIELDS)] };
    const query = new URLSearchParams({ fields: asked.fields.join(',') });
    for (const record of asked.records) query.append('records', record);
    if (this.random.chance(0.5)) query.set('batchSize', String(this.random.integer(1, 10)));
    const accept = MEDIA_TYPES[this.random.pick(FORMATS)];
    return {
      kind: 'export',
      asked,
      sending: { method: 'GET', path: `/api/v1/records?${String(query)}`, headers: { accept } },
    };
  }

  #import(): Mixed {
    this.#imports += 1;
    const marks = Array.from(
      { length: this.random.integer(1, 7) },
      (_, index) => `${this.name}-${this.#imports}-${index}`,
    );
    const format = this.random.pick(FORMATS);
    const headers = {
      'content-type': MEDIA_TYPES[format],
      ...(this.random.chance(0.5) && { 'idempotency-key': `${this.name}-${this.#imports}` }),
    };
    const path = `/api/v1/records${this.random.chance(0.3) ? '?forceAutoNumber=true' : ''}`;
    return { kind: 'import', marks, sending: { method: 'POST', path, headers, body: bodyOf(format, marks) } };
  }

  #some(items: readonly string[]): string[] {
    const share = this.random.next();
    const some = items.filter(() => this.random.chance(share));
    return some.length > 0 ? some : [...items];
  }
}

function bodyOf(format: keyof typeof MEDIA_TYPES, marks: readonly string[]): string {
  const rows = marks.map((mark) => ({ record_id: `IMPORTED-IN-A-HURRY-${mark}`, last_name: mark }));
  if (format === 'json') return JSON.stringify({ records: rows });
  if (format === 'ndjson') return rows.map((row) => JSON.stringify(row)).join('\n');
  return `record_id,last_name\n${rows.map((row) => `${row.record_id},${row.last_name}\n`).join('')}`;
}

/** @returns the rows of an export in any format, with every value as text, as in CSV */
export function rowsOf(answer: WholeAnswer): Record<string, string>[] {
  return parsed(answer).map(asTexts);
}

/** @returns a row with every value as text */
export function asTexts(row: object): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
}

function parsed({ type, text }: WholeAnswer): object[] {
  if (type.startsWith(MEDIA_TYPES.json)) return (JSON.parse(text) as { data: object[] }).data;
  if (type.startsWith(MEDIA_TYPES.csv)) return parse(text, { columns: true });
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as object]));
}

export function read(path: string, data: unknown): Mixed {
  return { kind: 'read', sending: { method: 'GET', path }, data };
}

function bad(
  method: Sending['method'],
  path: string,
  status: number,
  headers: Record<string, string> = {},
  body?: string,
): Mixed {
  return { kind: 'bad', status, sending: { method, path, headers, ...(body !== undefined && { body }) } };
}
