import { expect } from 'chai';
import type { ProblemCode } from '../../../src/domain/errors/problem-table.js';
import type { Fault, RecordedRequest } from '../../support/fault-server.js';
import { BODY_OF, id, type Row } from '../../support/import-project.js';
import { startFaultyService, type FaultyService } from './faulty-redcap.js';
import { ask, MEDIA_TYPES, type HttpAnswer } from './http-answer.js';

const FORMATS = ['json', 'ndjson', 'csv'] as const;
const CHUNK = 10;
const ROWS = 25;

/** One fault in REDCap's answer to a part of an import. */
interface Trouble {
  readonly what: string;
  readonly play: (answer: string) => Fault;
  /** How the import ends: everything is stored, it is uncertain, or nothing is stored because of the given problem. */
  readonly ends: 'stored' | 'in doubt' | ProblemCode;
  /** How it ends with an Idempotency-Key, if that makes a difference. */
  readonly endsKeyed?: 'stored';
  /** The Retry-After header of the error. */
  readonly retryAfter?: RegExp;
  /** Whether REDCap refuses the part, and stores nothing of it. */
  readonly isRefusal?: true;
}

const answerOf = (body: string | Buffer, status = 200, headers = {}): Fault => ({
  ...{ kind: 'answer', body, status, headers },
});

const TROUBLES: readonly Trouble[] = [
  ...[0, 0.5, 0.99].flatMap((fraction): Trouble[] => [
    ...(['length', 'chunked', 'close'] as const).map((framing): Trouble => ({
      what: `is cut at ${fraction * 100} % (${framing})`,
      play: (body) => ({ kind: 'cut', body, fraction, framing }),
      ends: 'in doubt',
      // An empty body that ends when the connection closes is complete: it is an answer, but an invalid one.
      ...(!(framing === 'close' && fraction === 0) && { endsKeyed: 'stored' }),
    })),
    {
      what: `falls silent at ${fraction * 100} %`,
      play: (body) => ({ kind: 'hang', at: 'body', body, fraction }),
      ...{ ends: 'in doubt', endsKeyed: 'stored' },
    },
  ]),
  {
    what: 'does not begin',
    play: () => ({ kind: 'hang', at: 'head' }),
    ends: 'in doubt',
    endsKeyed: 'stored',
  },
  { what: 'is a connection reset', play: () => ({ kind: 'reset' }), ends: 'in doubt', endsKeyed: 'stored' },
  {
    what: 'arrives in small pieces',
    play: (body) => ({ kind: 'drip', body, pieces: 12, everyMs: 40 }),
    ends: 'stored',
  },
  { what: 'is a 500', play: () => answerOf('<html>', 500), ends: 'in doubt', endsKeyed: 'stored' },
  {
    what: 'is a 429 that asks for a second',
    play: () => answerOf('', 429, { 'retry-after': '1' }),
    ...{ ends: 'in doubt', endsKeyed: 'stored', retryAfter: /^1$/ },
  },
  {
    what: 'is a 429 that names a date',
    play: () => answerOf('', 429, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }),
    ends: 'in doubt',
    retryAfter: /^3[56]\d\d$/,
  },
  {
    what: 'is a 429 that asks for an hour',
    play: () => answerOf('', 429, { 'retry-after': '3600' }),
    ends: 'in doubt',
    retryAfter: /^3600$/,
  },
  { what: 'is a web page', play: () => answerOf('<!DOCTYPE html><p>SECRET'), ends: 'in doubt' },
  { what: 'is empty', play: () => answerOf(''), ends: 'in doubt' },
  { what: 'is an error with a 200', play: () => answerOf('{"error":"SECRET"}'), ends: 'in doubt' },
  {
    what: 'is a list with bytes that are not UTF-8',
    play: () => answerOf(Buffer.from([0x5b, 0xff, 0x5d])),
    ends: 'in doubt',
  },
  {
    what: 'refuses a value',
    play: () => answerOf(`{"error":"\\"${id(1)}\\",\\"age\\",\\"SECRET\\",\\"not a valid category\\""}`, 400),
    ...{ ends: 'invalid_records', isRefusal: true },
  },
  {
    what: 'refuses the token',
    play: () => answerOf('{"error":"You do not have permissions to use the API"}', 403),
    ...{ ends: 'upstream_refused', isRefusal: true },
  },
];

/** One request: the part of the import that fails (from 0) on its first attempt. */
interface Case {
  readonly trouble: Trouble;
  readonly part: number;
  /** The rows that REDCap has stored, by record id. */
  readonly stored: Map<string, Row>;
  readonly attempts: Map<number, number>;
}

describe('An import, over HTTP', () => {
  let service: FaultyService;
  const cases: Case[] = [];

  before(async () => {
    service = await startFaultyService(play, { imports: { batchSize: CHUNK } });
  });

  after(() => service.close());

  /** Stores a part unless the fault refuses it, and then answers or plays the fault. */
  function play({ form }: RecordedRequest): Fault {
    const rows = JSON.parse(form.get('data') ?? '[]') as Row[];
    const [number, row] = placeOf(rows[0]);
    const found = cases[number];
    if (found === undefined) throw new Error('A record of no case.');
    const part = row / CHUNK;
    const attempt = found.attempts.get(part) ?? 0;
    found.attempts.set(part, attempt + 1);
    const isStruck = part === found.part && attempt === 0;
    if (!isStruck || !found.trouble.isRefusal)
      for (const stored of rows) found.stored.set(String(stored['record_id']), stored);
    const answer = JSON.stringify({ count: rows.length });
    return isStruck ? found.trouble.play(answer) : { kind: 'answer', body: answer };
  }

  function imported(number: number, format: (typeof FORMATS)[number], key?: string): Promise<HttpAnswer> {
    return ask(service, '/api/v1/records', {
      method: 'POST',
      headers: { 'content-type': MEDIA_TYPES[format], ...(key !== undefined && { 'idempotency-key': key }) },
      body: BODY_OF[format](rowsOf(number)),
    });
  }

  for (const trouble of TROUBLES) {
    it(`reports exactly what was stored if the answer to a part ${trouble.what}`, async () => {
      await Promise.all(
        FORMATS.flatMap((format) =>
          [0, 1, 2].flatMap((part) =>
            [false, true].map(async (isKeyed) => {
              const found = { trouble, part, stored: new Map(), attempts: new Map() };
              const number = cases.push(found) - 1;
              const key = isKeyed ? `case-${number}` : undefined;
              const name = `${format}, part ${part}, ${isKeyed ? 'with' : 'without'} a key`;

              const answer = await imported(number, format, key);
              expectTruth(answer, number, found, isKeyed, name);

              if (!isKeyed) return;
              const calls = sumOf(found.attempts);
              const wasStored = found.stored.size > 0;
              const again = await imported(number, format, key);
              if (!wasStored) expect(again.status, `${name}, again`).to.equal(200);
              else {
                expect(essenceOf(again), name).to.deep.equal(essenceOf(answer));
                expect(sumOf(found.attempts), name).to.equal(calls);
              }
            }),
          ),
        ),
      );
    });
  }

  for (const [what, answered, counted] of [
    ['too many', `{"count":${CHUNK + 1}}`, CHUNK + 1],
    ['too few', `{"count":${CHUNK - 1}}`, CHUNK - 1],
    ['none', '{"count":0}', 0],
    ['fewer than none', '{"count":-1}', -1],
    ['an empty list', '[]', 0],
    ['a background import', '{"success":true}', 0],
  ] as const) {
    it(`UP-09: is incomplete, and keeps its key so, if REDCap counts ${what}`, async () => {
      for (const format of FORMATS) {
        for (const part of [0, 1]) {
          const trouble: Trouble = { what, play: () => answerOf(answered), ends: 'stored' };
          const number = cases.push({ trouble, part, stored: new Map(), attempts: new Map() }) - 1;

          const answer = await imported(number, format, `counted-${number}`);
          const again = await imported(number, format, `counted-${number}`);

          const later = answer.problem['storedLater'] as { from: number; to: number }[] | undefined;
          const [range] = later ?? [];
          const stored = part * CHUNK + (range === undefined ? 0 : range.to - range.from);
          const told = { code: 'import_incomplete', stored, resumeFrom: part * CHUNK, sent: CHUNK, counted };
          for (const { status, problem } of [answer, again]) {
            expect(status).to.equal(502);
            expect(problem).to.include(told);
            expect(problem['doubtful']).to.deep.equal([{ from: part * CHUNK, to: (part + 1) * CHUNK }]);
          }
        }
      }
    });
  }
});

function expectTruth(
  answer: HttpAnswer,
  number: number,
  { trouble, part, stored, attempts }: Case,
  isKeyed: boolean,
  name: string,
): void {
  const ends = (isKeyed ? trouble.endsKeyed : undefined) ?? trouble.ends;
  const rows = rowsOf(number);
  const before = part * CHUNK;
  const end = Math.min(before + CHUNK, ROWS);
  // The first call runs alone. The other two run at once if other imports leave a free call.
  const later = part === 1 && attempts.has(2) ? ROWS - end : 0;
  expect(answer.body.toString(), name).to.not.include('SECRET');
  expect(answer.isWhole, name).to.equal(true);

  if (ends === 'stored') {
    expect(JSON.parse(answer.body.toString()), name).to.deep.equal({ data: { count: ROWS, batches: 3 } });
    expect([...stored.values()].sort(byId), name).to.deep.equal(rows);
    return;
  }
  const code = ends === 'in doubt' || part > 0 ? 'import_interrupted' : ends;
  expect(answer.problem, name).to.include({ code });
  const isInterrupted = code === 'import_interrupted';
  if (isInterrupted) {
    expect(answer.problem, name).to.include({ stored: before + later, resumeFrom: before });
    expect(answer.problem['storedLater'], name).to.deep.equal(
      later === 0 ? undefined : [{ from: end, to: ROWS }],
    );
    expect(answer.problem['doubtful'], name).to.deep.equal(
      ends === 'in doubt' ? [{ from: before, to: end }] : undefined,
    );
  }
  expect(answer.headers['retry-after'] ?? '', name).to.match(trouble.retryAfter ?? /^$/);
  const isInDoubt = JSON.stringify(answer.problem).includes('may have been stored too');
  expect(isInDoubt, name).to.equal(ends === 'in doubt');
  // The uncertain rows were stored in this case, so reporting them as not stored would be wrong.
  const expected = [...rows.slice(0, isInDoubt ? end : before), ...rows.slice(ROWS - later)];
  expect([...stored.values()].sort(byId), name).to.deep.equal(expected);
}

/** Concurrent calls arrive in any order. */
function byId(left: Row, right: Row): number {
  return String(left['record_id']) < String(right['record_id']) ? -1 : 1;
}

/** Rows whose ids encode the case and the position of the row. */
function rowsOf(number: number): Row[] {
  return Array.from({ length: ROWS }, (_, row) => ({
    record_id: id(number * 100 + row),
    age: String(20 + row),
    note: `"${row}",\n straße`,
  }));
}

function placeOf(row: Row | undefined): [number: number, row: number] {
  const place = Number(String(row?.['record_id']).slice(-6));
  return [Math.floor(place / 100), place % 100];
}

function sumOf(attempts: ReadonlyMap<number, number>): number {
  return [...attempts.values()].reduce((sum, count) => sum + count, 0);
}

/** The part of an answer that a repetition must match: neither the request id nor the reason why it stopped. */
function essenceOf({ status, body, problem }: HttpAnswer): object {
  const { code, stored, resumeFrom } = problem;
  return status === 200 ? { status, body: body.toString() } : { status, code, stored, resumeFrom };
}
