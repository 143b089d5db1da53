import { Readable } from 'node:stream';
import { expect } from 'chai';
import { say } from '../../../../src/domain/errors/sentences.js';
import fc from 'fast-check';
import { InvalidRecordsError } from '../../../../src/domain/errors/caller-errors.js';
import {
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../../../src/domain/errors/upstream-errors.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { rejection } from '../../../support/rejection.js';
import {
  BODY_OF,
  FORMATS,
  id,
  ImportProject,
  rowsOf,
  write,
  type Row,
} from '../../../support/import-project.js';

describe('RecordWriter', () => {
  let project: ImportProject;
  let writer: RecordWriter;

  beforeEach(() => {
    project = new ImportProject();
    writer = new RecordWriter(project, { batchSize: 10 });
  });

  for (const format of FORMATS) {
    it(`stores a ${format} body in chunks, in order`, async () => {
      const outcome = await write(writer, BODY_OF[format](rowsOf(25)), { format });

      expect(outcome).to.deep.equal({ count: 25, batches: 3 });
      expect(project.calls.map(({ rows }) => rows.length)).to.deep.equal([10, 10, 5]);
      expect(project.rows).to.deep.equal(rowsOf(25));
    });

    it(`checks a ${format} body but sends nothing with dryRun`, async () => {
      const outcome = await write(writer, BODY_OF[format](rowsOf(25)), { format, dryRun: true });

      expect(outcome).to.deep.equal({ count: 25, batches: 3, dryRun: true });
      expect(project.calls).to.deep.equal([]);
    });

    it(`stores nothing of a ${format} body in one chunk if its last row is invalid`, async () => {
      const rows = [...rowsOf(9), { record_id: id(9), age: 'SECRET' }];

      const error = await rejection(write(writer, BODY_OF[format](rows), { format }));

      expect(error).to.be.instanceOf(InvalidRecordsError);
      expect(error['errors']).to.have.lengthOf(1);
      expect(project.calls).to.deep.equal([]);
    });

    it(`refuses a ${format} body without rows`, async () => {
      const body = format === 'json' ? '{"records":[]}' : format === 'csv' ? 'record_id,age\n' : '\n \n';

      expect(await rejection(write(writer, body, { format }))).to.include({ code: 'invalid_request' });
    });

    it(`refuses a ${format} body with valid first rows as too large if it exceeds the limit`, async () => {
      writer = new RecordWriter(project, { limitBytes: 100 });

      const error = await rejection(write(writer, BODY_OF[format](rowsOf(5)), { format }));

      expect(error).to.include({ code: 'payload_too_large', status: 413 });
    });

    it(`refuses a ${format} body that is not UTF-8`, async () => {
      const [before, after] = BODY_OF[format]([{ record_id: id(1), note: 'SECRET@' }]).split('@');
      const body = Buffer.concat([Buffer.from(before ?? ''), Buffer.from([0xc3]), Buffer.from(after ?? '')]);

      const error = await rejection(write(writer, body, { format }));

      expect(error).to.include({ code: 'malformed_request' });
      expect(error.message)
        .to.match(/number 1/)
        .and.not.match(/SECRET/);
    });
  }

  it('sends the same rows from each format, however the input is split', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    const rows = fc.array(
      fc.record({ record_id: fc.nat(5).map(id), note: text, sites___1: fc.constantFrom('0', '1', '') }),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom(...FORMATS),
        fc.integer({ min: 1, max: 40 }),
        async (sent, format, size) => {
          const target = new ImportProject();
          const body = Buffer.from(BODY_OF[format](sent));
          const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
            body.subarray(at * size, (at + 1) * size),
          );
          await write(new RecordWriter(target, { batchSize: 7 }), pieces, { format });
          expect(target.rows).to.deep.equal(sent);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('keeps adjacent rows of a record in one call', async () => {
    const rows = [
      ...Array.from({ length: 8 }, (_, at) => visitOf(id(at), 1)),
      ...Array.from({ length: 5 }, (_, at) => visitOf(id(50), at + 1)),
      visitOf(id(0), 2),
    ];
    project.repeatingInstruments = ['visit'];

    const outcome = await write(writer, BODY_OF.json(rows));

    expect(project.calls.map(({ rows: sent }) => sent.length)).to.deep.equal([8, 6]);
    // The last row belongs to the first record, which the previous call stored.
    expect(outcome).to.deep.equal({ count: 9, batches: 2 });
  });

  it('counts a record that spans several calls once', async () => {
    const rows = Array.from({ length: 25 }, (_, at) => visitOf(id(50), at + 1));
    const others = [0, 1, 2].map((at) => visitOf(id(at), 1));
    project.repeatingInstruments = ['visit'];

    const outcome = await write(writer, BODY_OF.json([...rows, ...others]), { returnContent: 'ids' });

    expect(outcome).to.deep.equal({ count: 4, ids: [id(50), id(0), id(1), id(2)], batches: 3 });
    expect(project.rows).to.have.lengthOf(28);
  });

  it('UP-08: counts a record once if its rows are ordered by event, across several calls', async () => {
    const rows = ['baseline_arm_1', 'followup_arm_1'].flatMap((redcap_event_name) =>
      rowsOf(15).map((row) => ({ ...row, redcap_event_name })),
    );
    const ids = rowsOf(15).map(({ record_id }) => record_id);

    const outcome = await write(writer, BODY_OF.csv(rows), { format: 'csv', returnContent: 'ids' });
    const dry = await write(writer, BODY_OF.csv(rows), { format: 'csv', dryRun: true });

    expect(outcome).to.deep.equal({ count: 15, ids, batches: 3 });
    expect(dry).to.deep.equal({ count: 15, batches: 3, dryRun: true });
    expect(project.rows).to.deep.equal(rows);
  });

  it('limits the size of a call in bytes', async () => {
    const rows = rowsOf(40).map((row) => ({ ...row, note: 'é'.repeat(100) }));

    await write(new RecordWriter(project, { chunkBytes: 1000 }), BODY_OF.json(rows));

    const sizes = project.calls.map(({ rows: sent }) => Buffer.byteLength(JSON.stringify(sent)));
    expect(Math.max(...sizes))
      .to.be.at.most(1000)
      .and.above(700);
    expect(project.rows).to.deep.equal(rows);
  });

  it('passes on the options', async () => {
    const body = `{ "records" : ${JSON.stringify(rowsOf(1))} }`;

    await write(writer, body, { overwriteBehavior: 'overwrite', type: 'flat', returnContent: 'ids' });

    expect(project.calls[0]?.options).to.include({
      format: 'json',
      overwriteBehavior: 'overwrite',
      type: 'flat',
      returnContent: 'ids',
      isIdempotent: false,
    });
  });

  it('marks the calls after the first as continuations', async () => {
    await write(writer, BODY_OF.json(rowsOf(25)));

    expect(project.calls.map(({ options }) => options.isContinuation)).to.deep.equal([false, true, true]);
  });

  it('accepts a bare list, as `crf export` writes it, however it is split', async () => {
    const body = Buffer.from(`\ufeff ${JSON.stringify(rowsOf(25), null, 1)}\n`);
    for (const size of [1, 7, body.length]) {
      project = new ImportProject();
      const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
        body.subarray(at * size, (at + 1) * size),
      );

      await write(new RecordWriter(project, { batchSize: 10 }), pieces);

      expect(project.rows).to.deep.equal(rowsOf(25));
    }
  });

  it('accepts an NDJSON export with its trailer and blank lines', async () => {
    const body = `\n${BODY_OF.ndjson(rowsOf(3))}\r\n{"_complete":true,"records":3}\n`;

    expect(await write(writer, body, { format: 'ndjson' })).to.deep.equal({ count: 3, batches: 1 });
  });

  it('treats a line that only resembles a trailer as a row', async () => {
    for (const row of [
      { record_id: id(1), _complete: true },
      { _complete: false, records: 1 },
    ]) {
      const body = `${JSON.stringify(rowsOf(1)[0])}\n${JSON.stringify(row)}\n`;

      expect(await rejection(write(writer, body, { format: 'ndjson' }))).to.include({
        code: 'invalid_records',
      });
    }
    expect(project.calls).to.deep.equal([]);
  });

  it('accepts CSV with a byte order mark and another delimiter', async () => {
    const body = `\ufeffrecord_id\tage\n${id(1)}\t42\n\n`;

    await write(writer, body, { format: 'csv', csvDelimiter: 'tab' });

    expect(project.rows).to.deep.equal([{ record_id: id(1), age: '42' }]);
  });

  it('makes no further calls after the signal aborts', async () => {
    const leaving = new AbortController();
    project.before = () => leaving.abort();

    const error = await rejection(write(writer, BODY_OF.json(rowsOf(30)), {}, undefined, leaving.signal));

    expect(error).to.include({ code: 'import_interrupted', stored: 10, resumeFrom: 10, isUncertain: false });
    expect(project.calls).to.have.lengthOf(1);
  });

  it('does not treat an interrupted body as complete', async () => {
    const body = Readable.from(brokenBody());

    const error = await rejection(writer.write(body, { format: 'ndjson' }, { scope: 'tester' }));

    expect(error).to.include({ code: 'cancelled' });
    expect(project.calls).to.deep.equal([]);
  });

  it('ignores an interruption of the body after it was refused', async () => {
    const broken = new Error('aborted');
    const body = new Readable({ read: () => undefined });
    body.push('{"record_id":[\n');

    const refused = rejection(writer.write(body, { format: 'ndjson' }, { scope: 'tester' }));

    expect(await refused).to.include({ code: 'malformed_request' });
    body.destroy(broken);
    await new Promise((resolve) => body.once('close', resolve));
    expect(body.errored).to.equal(broken);
  });

  it('refuses to number a record whose rows span two calls, and stores nothing', async () => {
    const rows = [...rowsOf(10), ...rowsOf(1)];

    const error = await rejection(write(writer, BODY_OF.json(rows), { forceAutoNumber: true }));

    expect(error).to.include({ code: 'invalid_records' });
    expect(project.calls).to.deep.equal([]);
  });

  for (const format of ['json', 'ndjson', 'csv'] as const) {
    for (const batchSize of [1, 10, 1000])
      it(`IN-24: stores nothing of a ${format} whose last row is wrong, in calls of ${batchSize}`, async () => {
        const rows = rowsOf(1200).map((row, at) => (at === 1199 ? { ...row, age: 'x' } : row));
        writer = new RecordWriter(project, { batchSize });

        const error = await rejection(write(writer, BODY_OF[format](rows), { format }));

        expect(error).to.include({ code: 'invalid_records' });
        expect(error['errors']).to.have.nested.property('[0].row', 1200);
        expect(project.calls).to.deep.equal([]);
      });
  }

  it('IN-24: stores nothing of a body that breaks off after many calls', async () => {
    const error = await rejection(write(writer, BODY_OF.json(rowsOf(100)).slice(0, -3)));

    expect(error).to.include({ code: 'malformed_request' });
    expect(project.calls).to.deep.equal([]);
  });

  it('IN-24: begins to send before the end of more than a hundred thousand rows', async () => {
    const rows = rowsOf(101_010).map((row, at) => (at === 101_009 ? { ...row, age: 'x' } : row));
    writer = new RecordWriter(project, { batchSize: 1000 });

    const error = await rejection(write(writer, BODY_OF.ndjson(rows), { format: 'ndjson' }));

    expect(error).to.include({ code: 'import_interrupted', stored: 101_000, resumeFrom: 101_000 });
  });

  it('IN-24: begins to send before the end of more than 16 MB', async () => {
    const note = 'x'.repeat(50_000);
    const rows = rowsOf(400).map((row, at) => ({ ...row, note, ...(at === 399 && { age: 'x' }) }));

    const error = await rejection(write(writer, BODY_OF.csv(rows), { format: 'csv' }));

    expect(error).to.include({ code: 'import_interrupted', stored: 390, resumeFrom: 390 });
  });

  describe('UP-08: reports exactly what was stored', () => {
    it('and passes on the refusal of the first call, with the row that it is about', async () => {
      const refusal = new InvalidRecordsError([{ record: id(3), field: 'age', message: 'is refused' }]);
      project.before = () => Promise.reject(refusal);

      const { errors } = await rejection(write(writer, BODY_OF.json(rowsOf(5))));

      expect(errors).to.deep.equal([{ ...refusal.errors[0], row: 4, line: 1 }]);
    });

    it('before a later call was refused', async () => {
      writer = new RecordWriter(project, { batchSize: 10, concurrency: 1 });
      const refusal = new InvalidRecordsError([{ record: id(23), field: 'age', message: 'is refused' }]);
      project.before = (call) => (call === 2 ? Promise.reject(refusal) : undefined);

      const error = await rejection(write(writer, BODY_OF.csv(rowsOf(45)), { format: 'csv' }));

      expect(error).to.include({
        code: 'import_interrupted',
        stored: 20,
        resumeFrom: 20,
        isUncertain: false,
      });
      expect(error['errors']).to.deep.equal([{ ...refusal.errors[0], row: 24, line: 25 }]);
    });

    it('before the third of five calls was lost, with the reason and the uncertain rows', async () => {
      writer = new RecordWriter(project, { batchSize: 10, concurrency: 1 });
      project.before = (call) =>
        call === 2 ? Promise.reject(new UpstreamUnavailableError('server error')) : undefined;

      const error = await rejection(write(writer, BODY_OF.ndjson(rowsOf(50)), { format: 'ndjson' }));

      expect(error).to.include({ stored: 20, resumeFrom: 20, isUncertain: true });
      expect(error['errors']).to.deep.equal([
        { field: 'import', ...say('import_stopped', { problem: 'upstream_unavailable' }) },
        {
          field: 'records',
          ...say('rows_doubtful', { first: 21, last: 30 }),
        },
      ]);
      expect(project.calls).to.have.lengthOf(3);
    });

    it('before a body grew too large', async () => {
      const rows = rowsOf(300).map((row) => ({ ...row, note: 'x'.repeat(60_000) }));
      const body = BODY_OF.ndjson(rows);
      writer = new RecordWriter(project, { batchSize: 10, limitBytes: body.length - 1 });

      const error = await rejection(write(writer, body, { format: 'ndjson' }));

      expect(error).to.include({ code: 'import_interrupted', isUncertain: false });
      expect(error['errors']).to.have.nested.property('[0].field', 'body');
      expect(error['stored']).to.equal(project.rows.length).and.to.be.above(270);
    });

    for (const lost of [new UpstreamUnavailableError('body'), new UpstreamTimeoutError('first byte')]) {
      it(`and which rows are uncertain when an answer is lost (${lost.code})`, async () => {
        project.before = () => Promise.reject(lost);

        const error = await rejection(write(writer, BODY_OF.json(rowsOf(5))));

        expect(error).to.include({ code: 'import_interrupted', stored: 0, resumeFrom: 0, isUncertain: true });
      });
    }

    it('and passes on the error unchanged if REDCap was not reached', async () => {
      const unreached = new UpstreamUnavailableError('connect');
      project.before = () => Promise.reject(unreached);

      expect(await rejection(write(writer, BODY_OF.json(rowsOf(5))))).to.equal(unreached);
    });

    it('so that resuming an interrupted import stores every row once', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(6), fc.integer({ min: 1, max: 60 }), async (failing, count) => {
          const target = new ImportProject();
          target.before = (call) => {
            if (call !== failing) return;
            target.calls.pop();
            throw new InvalidRecordsError([{ field: 'age', message: 'is refused' }]);
          };
          const service = new RecordWriter(target, { batchSize: 10 });
          const rows = rowsOf(count);
          const outcome = await write(service, BODY_OF.json(rows)).catch((error: unknown) => error);
          if (outcome instanceof Error) {
            const from = 'resumeFrom' in outcome ? Number(outcome.resumeFrom) : 0;
            target.before = () => undefined;
            await write(service, BODY_OF.json(rows.slice(from)));
          }
          expect(target.rows).to.deep.equal(rows);
        }),
        { numRuns: 60 },
      );
    });
  });
});

function visitOf(record: string, instance: number): Row {
  return { record_id: record, redcap_repeat_instrument: 'visit', redcap_repeat_instance: String(instance) };
}

async function* brokenBody(): AsyncGenerator<Buffer> {
  yield Buffer.from(BODY_OF.ndjson(rowsOf(3)));
  await Promise.resolve();
  throw new Error('aborted');
}
