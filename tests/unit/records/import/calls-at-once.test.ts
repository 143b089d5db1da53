import { expect } from 'chai';
import { say } from '../../../../src/domain/errors/sentences.js';
import fc from 'fast-check';
import { CancelledError, InvalidRecordsError } from '../../../../src/domain/errors/caller-errors.js';
import { UpstreamUnavailableError } from '../../../../src/domain/errors/upstream-errors.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { rejection } from '../../../support/rejection.js';
import { HeldProject, inOrder, type Answer } from './held-project.js';
import { BODY_OF, id, rowsOf, write, type Row } from '../../../support/import-project.js';

const CHUNK = 10;
const LOST = new UpstreamUnavailableError('body');
const REFUSED = new InvalidRecordsError([{ record: id(1), field: 'age', message: 'is refused' }]);

describe('UP-05: an import in several calls', () => {
  it('makes the first call alone, and then up to four at once', async () => {
    const project = new HeldProject();
    const peaks: number[] = [];
    const importing = write(writerOf(project), BODY_OF.ndjson(rowsOf(100)), { format: 'ndjson' });

    await project.serve(importing, (held) => {
      peaks.push(held.length);
      return inOrder(held);
    });

    expect(await importing).to.deep.equal({ count: 100, batches: 10 });
    expect(peaks.slice(0, 2)).to.deep.equal([1, 4]);
    expect(project.peak).to.equal(4);
  });

  for (const concurrency of [1, 2, 3]) {
    it(`makes at most ${concurrency} calls at once with a concurrency of ${concurrency}`, async () => {
      const project = new HeldProject();
      const importing = write(writerOf(project, concurrency), BODY_OF.json(rowsOf(100)));

      await project.serve(importing, inOrder);

      expect(project.peak).to.equal(concurrency);
    });
  }

  it('stores nothing if the first call is refused', async () => {
    const project = new HeldProject();
    const importing = write(writerOf(project), BODY_OF.json(rowsOf(100)));
    const refusal = rejection(importing);

    await project.serve(importing, ([call]) => [call, { refused: REFUSED }]);

    expect((await refusal).errors).to.deep.equal([{ ...REFUSED.errors[0], row: 2, line: 1 }]);
    expect(project.calls).to.have.lengthOf(1);
  });

  for (const [what, request, rows] of [
    ['REDCap numbers the records', { forceAutoNumber: true }, rowsOf(100)],
    ['REDCap stores them in the background', { backgroundProcess: true }, rowsOf(100)],
    [
      'REDCap numbers the instances',
      {},
      rowsOf(100).map((row) => ({
        ...row,
        redcap_repeat_instrument: 'visit',
        redcap_repeat_instance: 'new',
      })),
    ],
  ] as const) {
    it(`makes one call after the other if ${what}`, async () => {
      const repeatingInstruments = 'redcap_repeat_instance' in (rows[0] ?? {}) ? ['visit'] : [];
      const project = Object.assign(new HeldProject(), { repeatingInstruments });
      const importing = write(writerOf(project), BODY_OF.json(rows), request);

      await project.serve(importing, inOrder);

      expect((await importing).batches).to.equal(10);
      expect(project.peak).to.equal(1);
    });
  }

  it('runs a call that numbers instances alone, so that nothing is stored after it', async () => {
    const project = Object.assign(new HeldProject(), { repeatingInstruments: ['visit'] });
    const rows = rowsOf(100).map((row, at) => ({
      ...row,
      redcap_repeat_instrument: 'visit',
      redcap_repeat_instance: at === 45 ? 'new' : '1',
    }));
    const beside: number[] = [];
    const importing = write(writerOf(project), BODY_OF.json(rows));

    await project.serve(importing, (held) => {
      if (
        held.some((call) => call.rows.some(({ redcap_repeat_instance }) => redcap_repeat_instance === 'new'))
      )
        beside.push(held.length);
      return inOrder(held);
    });

    expect(beside).to.deep.equal([1]);
    expect(project.peak).to.equal(4);
  });

  it('treats names that a database may consider equal as one record', async () => {
    const project = new HeldProject();
    const name = (text: string): Row => ({ record_id: `${text}-2026-PARTICIPANT-0001`, age: '20' });
    const rows = [...rowsOf(20), name('Straße'), ...rowsOf(29).slice(20), name('STRASSE'), name('strásse')];
    const sent: number[] = [];
    const importing = write(writerOf(project), BODY_OF.json(rows));

    await project.serve(importing, (held) => {
      sent.push(held.length);
      return inOrder(held);
    });

    expect(Math.max(...sent)).to.equal(2);
  });

  it('shares its additional calls with all other imports', async () => {
    const project = new HeldProject();
    const writer = writerOf(project);
    const imports = [0, 1, 2].map((number) =>
      write(
        writer,
        BODY_OF.json(
          Array.from({ length: 100 }, (_, at) => ({ record_id: id(number * 100 + at), age: '20' })),
        ),
      ),
    );

    await project.serve(Promise.all(imports), inOrder);

    expect((await Promise.all(imports)).map(({ count }) => count)).to.deep.equal([100, 100, 100]);
    expect(project.peak).to.equal(6);
  });

  it('releases its shared calls when it fails', async () => {
    const project = new HeldProject();
    const writer = writerOf(project);
    const failing = write(writer, BODY_OF.json(rowsOf(100)));
    const failure = rejection(failing);
    await project.serve(failing, ([call]) => [
      call,
      call !== undefined && call.number > 0 ? { refused: REFUSED } : 'stored',
    ]);
    await failure;
    project.peak = 0;

    const second = write(writer, BODY_OF.json(rowsOf(100)));
    await project.serve(second, inOrder);

    expect(project.peak).to.equal(4);
  });

  it('stores the same as sequential calls, in whatever order the answers arrive', async () => {
    await fc.assert(
      fc.asyncProperty(ROWS, fc.integer({ min: 1, max: 6 }), CHOICES, async (rows, concurrency, choices) => {
        const outcomes = [];
        const stored = [];
        for (const atOnce of [1, concurrency]) {
          const project = new HeldProject();
          const importing = write(writerOf(project, atOnce), BODY_OF.ndjson(rows), {
            format: 'ndjson',
            returnContent: 'ids',
          });
          let turn = 0;
          await project.serve(importing, (held) => [held[pick(choices, turn++) % held.length], 'stored']);
          outcomes.push(await importing);
          stored.push(project.records);
          expect(project.hasRaced).to.equal(false);
        }
        expect(outcomes[1]).to.deep.equal(outcomes[0]);
        expect(stored[1]).to.deep.equal(stored[0]);
      }),
      { numRuns: 100 },
    );
  });

  describe('UP-08: reports the outcome exactly when calls fail', () => {
    it('starts no further call, waits for pending ones, and reports which are stored and which uncertain', async () => {
      const project = new HeldProject();
      const importing = write(writerOf(project), BODY_OF.json(rowsOf(100)));
      const failure = rejection(importing);
      const answers: readonly Answer[] = ['stored', { refused: REFUSED }, 'stored', { lost: LOST }, 'stored'];

      await project.serve(importing, ([call]) => [call, answers[call?.number ?? 0] ?? 'stored']);

      expect(project.calls).to.have.lengthOf(5);
      const error = await failure;
      expect(error).to.include({ code: 'import_interrupted', stored: 30, resumeFrom: 10, isUncertain: true });
      expect(error['doubtful']).to.deep.equal([{ from: 30, to: 40 }]);
      expect(error['storedLater']).to.deep.equal([
        { from: 20, to: 30 },
        { from: 40, to: 50 },
      ]);
      expect(error['errors']).to.deep.equal([
        ...REFUSED.errors,
        { field: 'import', ...say('import_stopped', { problem: 'upstream_unavailable' }) },
        {
          field: 'records',
          ...say('rows_doubtful', { first: 31, last: 40 }),
        },
        { field: 'records', ...say('rows_later', { first: 21, last: 30 }) },
        { field: 'records', ...say('rows_later', { first: 41, last: 50 }) },
      ]);
    });

    it('repeats the same report for the same key', async () => {
      const project = new HeldProject();
      const writer = writerOf(project);
      const body = BODY_OF.json(rowsOf(100));
      const importing = write(writer, body, {}, 'key');
      const first = rejection(importing);
      await project.serve(importing, (held) => [
        held.at(-1),
        held.at(-1)?.number === 3 ? { lost: LOST } : 'stored',
      ]);

      const second = await rejection(write(writer, body, {}, 'key'));

      for (const name of ['stored', 'resumeFrom', 'doubtful', 'storedLater'])
        expect(second[name], name).to.deep.equal((await first)[name]);
      expect(second['doubtful']).to.deep.equal([{ from: 30, to: 40 }]);
    });

    it('cancels all pending calls when the caller leaves', async () => {
      const project = new HeldProject();
      const leaving = new AbortController();
      const importing = write(writerOf(project), BODY_OF.json(rowsOf(100)), {}, undefined, leaving.signal);
      const failure = rejection(importing);

      await project.serve(importing, (held) => {
        if (held[0]?.number === 0) return inOrder(held);
        leaving.abort();
        return [held[0], { lost: new CancelledError() }];
      });

      expect(await failure).to.deep.include({
        stored: 10,
        resumeFrom: 10,
        doubtful: [{ from: 10, to: 50 }],
        storedLater: [],
      });
      expect(project.calls.every(({ options }) => options.signal === leaving.signal)).to.equal(true);
      expect(project.calls).to.have.lengthOf(5);
    });

    it('for any call, in any order, and resuming where it says loses nothing', async () => {
      await fc.assert(
        fc.asyncProperty(ROWS, CHOICES, fc.array(KINDS, { minLength: 30 }), async (rows, choices, kinds) => {
          const project = new HeldProject();
          const fates = new Map<Row, string>();
          const importing = write(writerOf(project), BODY_OF.ndjson(rows), { format: 'ndjson' });
          const ended = importing.catch((error: unknown) => error);
          let turn = 0;
          await project.serve(importing, (held) => {
            const call = held[pick(choices, turn++) % held.length];
            if (call === undefined) return [undefined, 'stored'];
            const kind = kinds[call.number] ?? 'stored';
            for (const row of call.rows) fates.set(row, kind);
            return [call, ANSWERS[kind]];
          });
          const outcome = (await ended) as Partial<Interrupted>;
          if (outcome.code === 'import_interrupted') {
            const { resumeFrom = 0, doubtful = [], storedLater = [] } = outcome;
            const sent = project.calls.flatMap((call) => call.rows);
            const isIn = (ranges: readonly Range[], at: number): boolean =>
              ranges.some(({ from, to }) => from <= at && at < to);
            sent.forEach((row, at) => {
              const isStored = at < resumeFrom || isIn(storedLater, at);
              const reported = isStored ? 'stored' : isIn(doubtful, at) ? 'lost' : 'refused';
              expect(reported, `row ${at}`).to.equal(fates.get(row));
            });
            for (const { to } of [...doubtful, ...storedLater]) expect(to).to.be.at.most(sent.length);
          }
          const rest = rows.slice(outcome.resumeFrom ?? (outcome instanceof Error ? 0 : rows.length));
          if (rest.length > 0) {
            const again = write(writerOf(project), BODY_OF.ndjson(rest), { format: 'ndjson' });
            await project.serve(again, inOrder);
            await again;
          }
          expect(project.records).to.deep.equal(finallyOf(rows));
        }),
        { numRuns: 150 },
      );
    });
  });
});

interface Range {
  readonly from: number;
  readonly to: number;
}

interface Interrupted {
  readonly code: string;
  readonly resumeFrom: number;
  readonly doubtful: readonly Range[];
  readonly storedLater: readonly Range[];
}

const ANSWERS: Readonly<Record<'stored' | 'lost' | 'refused', Answer>> = {
  stored: 'stored',
  lost: { lost: LOST },
  refused: { refused: REFUSED },
};
/** Most calls succeed. */
const KINDS = fc.constantFrom<keyof typeof ANSWERS>(
  'stored',
  'stored',
  'stored',
  'stored',
  'lost',
  'refused',
);

/** Rows of a few records in random order, so that many records span several calls. */
const ROWS = fc.array(
  fc.record(
    { record_id: fc.nat(60).map(id), age: fc.integer({ min: 18, max: 99 }).map(String) },
    { noNullPrototype: true },
  ),
  { minLength: 1, maxLength: 120 },
);
/** Selects which pending call is answered next. */
const CHOICES = fc.array(fc.nat(), { minLength: 1, maxLength: 30 });

function pick(choices: readonly number[], turn: number): number {
  return choices[turn % choices.length] ?? 0;
}

function writerOf(project: HeldProject, concurrency?: number): RecordWriter {
  return new RecordWriter(project, { batchSize: CHUNK, concurrency });
}

/** Returns what is stored in the end: the last row of each record. */
function finallyOf(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [String(row['record_id']), row]));
}
