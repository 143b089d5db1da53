import { expect } from 'chai';
import { PROBLEMS, type ProblemCode } from '../../../src/domain/errors/problem-table.js';
import type { Fault } from '../../support/fault-server.js';
import { id } from '../../support/import-project.js';
import { FakeProject } from '../../support/fake-project.js';
import { BATCH, ROWS, startFaultyExports, type ExportCall, type FaultyService } from './faulty-redcap.js';
import { ask, MEDIA_TYPES, type HttpAnswer } from './http-answer.js';

const FORMATS = ['json', 'ndjson', 'csv'] as const;
type Format = (typeof FORMATS)[number];

/** One fault in an answer of REDCap. */
interface Row {
  readonly what: string;
  readonly play: (answer: Buffer, call: ExportCall) => Fault;
  /** The error if the fault persists; undefined if the export is complete all the same. */
  readonly code?: ProblemCode;
  /** Whether the fault cannot affect the list of ids. */
  readonly isOfBatches?: true;
  readonly retryAfter?: string;
}

const answerOf = (body: string | Buffer, status = 200, headers = {}): Fault => ({
  ...{ kind: 'answer', body, status, headers },
});
const FRACTIONS = [0.01, 0.5, 0.99];

const FAULTS: readonly Row[] = [
  ...FRACTIONS.flatMap((fraction): Row[] => [
    {
      what: `is cut at ${fraction * 100} %`,
      play: (body) => ({ kind: 'cut', body, fraction }),
      code: 'upstream_unavailable',
    },
    {
      what: `falls silent at ${fraction * 100} %`,
      play: (body) => ({ kind: 'hang', at: 'body', body, fraction }),
      code: 'upstream_timeout',
    },
  ]),
  {
    what: 'is cut at 50 % where only the close of the connection marks its end',
    play: (body) => ({ kind: 'cut', body, fraction: 0.5, framing: 'close' }),
    code: 'upstream_unavailable',
  },
  { what: 'does not begin', play: () => ({ kind: 'hang', at: 'head' }), code: 'upstream_timeout' },
  {
    what: 'is reset in its midst',
    play: (body) => ({ kind: 'cut', body, fraction: 0.5, how: 'reset' }),
    code: 'upstream_unavailable',
  },
  { what: 'is a reset', play: () => ({ kind: 'reset' }), code: 'upstream_unavailable' },
  { what: 'arrives in small pieces', play: (body) => ({ kind: 'drip', body, pieces: 25, everyMs: 20 }) },
  { what: 'is a 500', play: () => answerOf('<html>', 500), code: 'upstream_unavailable' },
  {
    what: 'is a 429 that asks for an hour',
    play: () => answerOf('', 429, { 'retry-after': '3600' }),
    code: 'upstream_unavailable',
    retryAfter: '3600',
  },
  { what: 'is a web page', play: () => answerOf('<!DOCTYPE html><p>SECRET'), code: 'upstream_invalid' },
  { what: 'is empty', play: () => answerOf(''), code: 'upstream_invalid' },
  { what: 'is an error with a 200', play: () => answerOf('{"error":"SECRET"}'), code: 'upstream_invalid' },
  {
    what: 'is an error in CSV with a 200',
    play: () => answerOf('ERROR: SECRET'),
    code: 'upstream_invalid',
  },
  {
    what: 'has an error at its end',
    play: (body) => answerOf(Buffer.concat([body, Buffer.from('{"error":"SECRET"}')])),
    code: 'upstream_invalid',
  },
  {
    what: 'has a record too many',
    play: (_, call) => answerOf(call.answerTo([...call.records, id(call.batch === 0 ? 29 : 0)])),
    code: 'upstream_invalid',
    isOfBatches: true,
  },
  {
    what: 'has a record too few',
    play: (_, call) => answerOf(call.answerTo(call.records.slice(0, -1))),
    code: 'incomplete_export',
    isOfBatches: true,
  },
];

const PLACES = [
  ['the list of ids', -1],
  ['the first batch', 0],
  ['the last batch', 2],
] as const;

describe('An export in batches, over HTTP', () => {
  let service: FaultyService;
  /** The faults by name of the case: where and how often each occurs. */
  const cases = new Map<string, { row: Row; batch: number; times: number }>();

  before(async () => {
    service = await startFaultyExports((call, answer) => {
      const found = cases.get(call.name);
      const isStruck = found !== undefined && found.batch === call.batch && call.attempt < found.times;
      return isStruck ? found.row.play(answer, call) : undefined;
    });
  });

  after(() => service.close());

  function exported(format: Format, name: string): Promise<HttpAnswer> {
    const query = new URLSearchParams({ batchSize: String(BATCH), filterLogic: name });
    return ask(service, `/api/v1/records?${query.toString()}`, { headers: { accept: MEDIA_TYPES[format] } });
  }

  for (const row of FAULTS) {
    it(`loses, repeats and invents nothing if one of its answers ${row.what}`, async () => {
      await Promise.all(
        PLACES.filter(([, batch]) => batch >= 0 || !row.isOfBatches).flatMap(([place, batch]) =>
          FORMATS.map(async (format) => {
            const name = `${format}, ${place} ${row.what}`;
            cases.set(`${name}, once`, { row, batch, times: 1 });
            cases.set(`${name}, always`, { row, batch, times: Infinity });

            const [once, always] = await Promise.all([
              row.retryAfter === undefined ? exported(format, `${name}, once`) : undefined,
              exported(format, `${name}, always`),
            ]);

            if (once !== undefined) expectWhole(once, format, `${name}, once`);
            if (row.code === undefined) expectWhole(always, format, name);
            else if (batch < 1) expectProblem(always, row, name);
            else expectBroken(always, format, name);
          }),
        ),
      );
      for (const format of FORMATS) expectWhole(await exported(format, 'no fault'), format, 'the next');
    });
  }

  it('waits as long as a 429 requests, and is complete', async () => {
    const play = (): Fault => answerOf('', 429, { 'retry-after': '1' });
    await Promise.all(
      FORMATS.map(async (format) => {
        const name = `${format}, 429`;
        cases.set(name, { row: { what: '', play }, batch: 1, times: 1 });

        expectWhole(await exported(format, name), format, name);
      }),
    );
    expect(service.clock.scheduled.filter((inMs) => inMs === 1_000)).to.have.length(FORMATS.length);
  });

  for (const format of FORMATS) {
    it(`breaks off at bytes that are not UTF-8 (${format})`, async () => {
      const play = (body: Buffer): Fault => answerOf(inLatin1(body));
      cases.set(`${format}, no UTF-8`, { row: { what: '', play }, batch: 1, times: Infinity });

      const answer = await exported(format, `${format}, no UTF-8`);

      expectBroken(answer, format, 'no UTF-8');
    });
  }
});

function expectWhole(answer: HttpAnswer, format: Format, name: string): void {
  expect({ status: answer.status, isWhole: answer.isWhole }, name).to.deep.equal({
    ...{ status: 200, isWhole: true },
  });
  expect(answer.body.toString(), name).to.equal(wholeOf(format).toString());
}

function expectProblem({ status, problem, headers, body }: HttpAnswer, row: Row, name: string): void {
  const code = row.code ?? 'internal_error';
  expect({ status, code: problem['code'], retryAfter: headers['retry-after'] }, name).to.deep.equal({
    ...{ status: PROBLEMS[code].status, code, retryAfter: row.retryAfter },
  });
  expect(body.toString(), name).to.not.include('SECRET');
}

/** The answer has started and is interrupted: a part of the whole that ends with the last good batch. */
function expectBroken({ status, isWhole, body }: HttpAnswer, format: Format, name: string): void {
  expect({ status, isWhole }, name).to.deep.equal({ status: 200, isWhole: false });
  const whole = wholeOf(format);
  expect(body.length, name).to.be.below(whole.length);
  expect(whole.subarray(0, body.length).equals(body), name).to.equal(true);
}

function wholeOf(format: Format): Buffer {
  if (format === 'json') return Buffer.from(JSON.stringify({ data: ROWS }));
  if (format === 'ndjson') return Buffer.from(ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return new FakeProject(ROWS).answerTo({ format });
}

/** The bytes with the ß of some rows as a single byte, as a server that confuses Latin-1 and UTF-8 would send it. */
function inLatin1(bytes: Buffer, from = 0, to = Infinity): Buffer {
  const parts = bytes.toString('latin1').split('Ã\u009f');
  const texts = parts.map((part, at) =>
    at === parts.length - 1 ? part : part + (at >= from && at < to ? 'ß' : 'Ã\u009f'),
  );
  return Buffer.from(texts.join(''), 'latin1');
}
