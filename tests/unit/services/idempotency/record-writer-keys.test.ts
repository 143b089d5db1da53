import { Readable } from 'node:stream';
import { expect } from 'chai';
import { InvalidRecordsError } from '../../../../src/domain/errors/caller-errors.js';
import { UpstreamUnavailableError } from '../../../../src/domain/errors/upstream-errors.js';
import type { IdempotentResult } from '../../../../src/services/idempotency/idempotency-store.js';
import { MemoryIdempotencyStore } from '../../../../src/services/idempotency/memory-idempotency-store.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { printed } from '../../../support/printed.js';
import { rejection } from '../../../support/rejection.js';
import { BODY_OF, FORMATS, id, ImportProject, rowsOf, write } from '../../../support/import-project.js';

describe('RecordWriter with an Idempotency-Key', () => {
  const body = BODY_OF.json(rowsOf(25));
  let project: ImportProject;
  let writer: RecordWriter;

  beforeEach(() => {
    project = new ImportProject();
    writer = new RecordWriter(project, { batchSize: 10 });
  });

  for (const format of FORMATS) {
    it(`UP-07: repeats the answer to the same ${format} request without a second write`, async () => {
      const text = BODY_OF[format](rowsOf(25));
      const first = await write(writer, text, { format }, 'key');

      const second = await write(
        writer,
        [Buffer.from(text.slice(0, 9)), Buffer.from(text.slice(9))],
        { format },
        'key',
      );

      expect(second).to.deep.equal(first);
      expect(project.calls).to.have.lengthOf(3);
    });
  }

  it('UP-07: writes once for 50 identical concurrent requests, and refuses the others with 409', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => write(writer, BODY_OF.json(rowsOf(5)), {}, 'key')),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(1);
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as object] : [],
    );
    for (const refusal of refusals)
      expect(refusal).to.include({ code: 'idempotency_key_in_use', status: 409 });
    expect(project.calls).to.have.lengthOf(1);
  });

  it('UP-07: writes once in each of a hundred races', async () => {
    for (let round = 0; round < 100; round++) {
      const race = Array.from({ length: 10 }, () =>
        write(writer, BODY_OF.json(rowsOf(1)), {}, `key-${round}`).catch(() => undefined),
      );
      await Promise.all(race);
      expect(project.calls).to.have.lengthOf(round + 1);
    }
  });

  it('UP-07: forgets a key in a memory store after a restart, so that the same request is stored again', async () => {
    await write(writer, BODY_OF.json(rowsOf(5)), {}, 'key');
    const restarted = new RecordWriter(project);

    expect(await write(restarted, BODY_OF.json(rowsOf(5)), {}, 'key')).to.deep.equal({
      count: 5,
      batches: 1,
    });
    expect(project.calls).to.have.lengthOf(2);
  });

  it('UP-07: knows the keys of another instance with the same store', async () => {
    const store = new MemoryIdempotencyStore();
    await write(new RecordWriter(project, {}, store), BODY_OF.json(rowsOf(5)), {}, 'key');
    await write(new RecordWriter(project, {}, store), BODY_OF.json(rowsOf(5)), {}, 'key');

    expect(project.calls).to.have.lengthOf(1);
  });

  it('UP-07: refuses the key with another body or other options, with 422', async () => {
    await write(writer, body, {}, 'key');

    for (const [other, request] of [
      [BODY_OF.json(rowsOf(24)), {}],
      [`${body} `, {}],
      [body, { overwriteBehavior: 'overwrite' as const }],
    ] as const) {
      const error = await rejection(write(writer, other, request, 'key'));
      expect(error).to.include({ code: 'idempotency_key_reused', status: 422 });
    }
    expect(project.calls).to.have.lengthOf(3);
  });

  it('UP-07: keeps the keys of each caller separate', async () => {
    for (const scope of ['one', 'other']) {
      const source = Readable.from([Buffer.from(BODY_OF.json(rowsOf(1)))]);
      await writer.write(source, { format: 'json' }, { idempotencyKey: 'key', scope });
    }

    expect(project.calls).to.have.lengthOf(2);
  });

  it('checks the rows by the missing data codes of the project, as without a key', async () => {
    project.missingDataCodes = 'UNK, Unknown';
    const rows = BODY_OF.json([{ record_id: id(1), age: 'UNK' }]);

    expect(await write(writer, rows, {}, 'key')).to.deep.equal({ count: 1, batches: 1 });
  });

  it('UP-07: releases the key if nothing was stored', async () => {
    project.before = () => Promise.reject(new UpstreamUnavailableError('connect'));
    await rejection(write(writer, BODY_OF.json(rowsOf(5)), {}, 'key'));
    await rejection(write(writer, BODY_OF.json([{ record_id: 'short' }]), {}, 'key'));
    project.before = () => undefined;

    expect(await write(writer, BODY_OF.json(rowsOf(5)), {}, 'key')).to.deep.equal({ count: 5, batches: 1 });
  });

  it('UP-07: repeats the error of an interrupted import, and stores nothing more', async () => {
    writer = new RecordWriter(project, { batchSize: 10, concurrency: 1 });
    project.before = (call) =>
      call === 1
        ? Promise.reject(new InvalidRecordsError([{ record: id(11), field: 'age', message: 'no' }]))
        : undefined;
    const first = await rejection(write(writer, body, {}, 'key'));

    const second = await rejection(write(writer, body, {}, 'key'));

    for (const error of [first, second]) {
      expect(error).to.include({
        code: 'import_interrupted',
        stored: 10,
        resumeFrom: 10,
        isUncertain: false,
      });
    }
    expect(project.calls).to.have.lengthOf(2);
    expect(await rejection(write(writer, BODY_OF.json(rowsOf(3)), {}, 'key'))).to.include({
      code: 'idempotency_key_reused',
    });
  });

  it('UP-07: keeps the key if the answer was lost', async () => {
    project.before = () => Promise.reject(new UpstreamUnavailableError('first byte'));
    await rejection(write(writer, BODY_OF.json(rowsOf(5)), {}, 'key'));

    const second = await rejection(write(writer, BODY_OF.json(rowsOf(5)), {}, 'key'));

    expect(second).to.include({ code: 'import_interrupted', stored: 0, isUncertain: true });
    expect(second['errors'])
      .to.have.nested.property('[0].message')
      .that.matches(/may have been stored/);
    expect(project.calls).to.have.lengthOf(1);
  });

  it('UP-07: stores no record id and no value', async () => {
    const kept: IdempotentResult[] = [];
    class Watched extends MemoryIdempotencyStore {
      override complete(key: string, result: IdempotentResult): Promise<void> {
        kept.push(result);
        return super.complete(key, result);
      }
    }
    writer = new RecordWriter(project, {}, new Watched());
    const first = await write(writer, BODY_OF.json(rowsOf(2)), { returnContent: 'ids' }, 'key');

    const second = await write(writer, BODY_OF.json(rowsOf(2)), { returnContent: 'ids' }, 'key');

    expect(first.ids).to.deep.equal([id(0), id(1)]);
    expect(second).to.deep.equal({ count: 2, batches: 1 });
    expect(kept).to.have.lengthOf(1);
    expect(printed(kept)).to.not.include('COHORT');
  });

  it('does not use up the key with dryRun', async () => {
    await write(writer, body, { dryRun: true }, 'key');

    expect(await write(writer, body, {}, 'key')).to.deep.equal({ count: 25, batches: 3 });
  });

  it('marks a call as repeatable only with a key, and only if storing it twice changes nothing', async () => {
    const fresh = [{ record_id: id(1), redcap_repeat_instrument: 'visit', redcap_repeat_instance: 'new' }];

    await write(writer, BODY_OF.json(rowsOf(1)));
    await write(writer, BODY_OF.json(rowsOf(1)), {}, 'a');
    await write(writer, BODY_OF.json(rowsOf(1)), { forceAutoNumber: true }, 'b');
    project.repeatingInstruments = ['visit'];
    await write(writer, BODY_OF.json(fresh), {}, 'c');

    expect(project.calls.map(({ options }) => options.isIdempotent)).to.deep.equal([
      false,
      true,
      false,
      false,
    ]);
  });

  it('UP-07: refuses a key whose first request may have stored rows before its process ended', async () => {
    const store = new MemoryIdempotencyStore();
    store.reserve = () => Promise.resolve({ state: 'lost' });

    const error = await rejection(write(new RecordWriter(project, {}, store), body, {}, 'key'));

    expect(error).to.include({ code: 'import_outcome_unknown' });
    expect(project.calls).to.have.lengthOf(0);
  });

  it('UP-07: marks the key once, before the first call that must not be repeated', async () => {
    const marks: number[] = [];
    class Marked extends MemoryIdempotencyStore {
      override markOnce(): Promise<void> {
        marks.push(project.calls.length);
        return super.markOnce();
      }
    }
    writer = new RecordWriter(project, { batchSize: 10 }, new Marked());

    await write(writer, body, {}, 'repeatable');
    expect(marks).to.deep.equal([]);
    await write(writer, body, { forceAutoNumber: true }, 'once');
    expect(marks).to.deep.equal([3]);
  });

  it('UP-07: recognizes the same options in another order', async () => {
    const first = { overwriteBehavior: 'overwrite', dateFormat: 'YMD', returnContent: undefined } as const;
    await write(writer, BODY_OF.json(rowsOf(1)), first, 'key');
    const second = { dateFormat: 'YMD', overwriteBehavior: 'overwrite' } as const;

    await write(writer, BODY_OF.json(rowsOf(1)), second, 'key');

    expect(project.calls).to.have.lengthOf(1);
  });
});
