import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  UpstreamInvalidError,
  UpstreamRejectedError,
  UpstreamUnavailableError,
} from '../../../../src/domain/errors/upstream-errors.js';
import type { RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import { batchBytes } from '../../../../src/records/export/batch-bytes.js';
import { exportInBatches, type Batch } from '../../../../src/records/export/batched-export.js';
import { planBatches, type BatchedExportOptions } from '../../../../src/records/export/batch-plan.js';
import { rejection } from '../../../support/rejection.js';
import { brokenAfter, FakeProject, recordsOf } from '../../../support/fake-project.js';

const SETTINGS = { format: 'json', retryBaseMs: 0, batchSize: 3 } as const;

describe('exportInBatches', () => {
  const rowsOfRecord = fc.array(fc.dictionary(fc.constantFrom('a', 'b'), fc.string()), {
    minLength: 1,
    maxLength: 4,
  });
  const project = fc.array(rowsOfRecord, { maxLength: 12 }).map((records) =>
    records.flatMap((rows, record) =>
      rows.map((values, instance): RecordRow => ({
        record_id: `id "${record}", ü`,
        redcap_repeat_instance: instance === 0 ? '' : instance,
        a: '',
        b: '',
        ...values,
      })),
    ),
  );

  for (const format of ['json', 'csv'] as const) {
    it(`yields the same ${format} as one call, for any project, batch size and concurrency`, async () => {
      await fc.assert(
        fc.asyncProperty(
          project,
          fc.integer({ min: 1, max: 5 }),
          fc.integer({ min: 1, max: 4 }),
          fc.integer({ min: 1, max: 90 }),
          async (rows, batchSize, concurrency, chunkBytes) => {
            const client = new FakeProject(rows, undefined, chunkBytes);

            const bytes = await bytesOf(client, { ...SETTINGS, format, batchSize, concurrency });

            const whole = String(client.answerTo({ format }));
            expect(bytes).to.equal(rows.length === 0 && format === 'csv' ? '' : whole);
          },
        ),
        { numRuns: 60 },
      );
    });
  }

  it('lists the ids once, then requests each record once, in order', async () => {
    const rows = recordsOf(7);
    const client = new FakeProject(rows);

    await batchesOf(client, { ...SETTINGS, filterLogic: '[age] > 1', events: ['visit_arm_1'] });

    expect(client.calls[0])
      .to.include({ filterLogic: '[age] > 1' })
      .and.deep.include({ fields: ['record_id'] });
    expect(client.batches.map((ids) => ids.length)).to.deep.equal([3, 3, 1]);
    expect(client.batches.flat()).to.deep.equal(rows.map((row) => row['record_id']));
    expect(client.calls[2]).to.deep.include({ filterLogic: '[age] > 1', events: ['visit_arm_1'] });
  });

  it('repeats only the batch that is interrupted', async () => {
    const client = new FakeProject(recordsOf(7), (answer, call) =>
      call === 2 ? brokenAfter(answer.subarray(0, 40), new UpstreamUnavailableError('body')) : answer,
    );

    const bytes = await bytesOf(client, { ...SETTINGS, concurrency: 1 });

    expect(bytes).to.equal(String(client.answerTo({ format: 'json' })));
    expect(client.batches.map((ids) => ids.length)).to.deep.equal([3, 3, 3, 1]);
  });

  it('repeats a batch that ends in the middle of a record without an error', async () => {
    const client = new FakeProject(recordsOf(5), (answer, call) =>
      call === 1 ? answer.subarray(0, -9) : answer,
    );

    expect(await bytesOf(client, SETTINGS)).to.equal(String(client.answerTo({ format: 'json' })));
  });

  it('fails with the last error of a batch that is interrupted every time', async () => {
    const client = new FakeProject(recordsOf(5), (answer, call) =>
      call >= 1 ? brokenAfter(answer.subarray(0, 9), new UpstreamUnavailableError('body')) : answer,
    );

    const error = await rejection(batchesOf(client, { ...SETTINGS, concurrency: 1 }));

    expect(error).to.include({ code: 'upstream_unavailable', phase: 'body' });
    expect(client.batches).to.have.length(3);
  });

  it('does not repeat a batch that REDCap rejects', async () => {
    const client = new FakeProject(recordsOf(5), (answer, call) => {
      if (call === 1) throw new UpstreamRejectedError('No.');
      return answer;
    });

    const error = await rejection(batchesOf(client, { ...SETTINGS, concurrency: 1 }));

    expect(error).to.have.property('code', 'upstream_rejected');
    expect(client.batches).to.have.length(1);
  });

  for (const format of ['json', 'csv'] as const) {
    it(`requests the records that a batch omitted once more, and inserts them in order (${format})`, async () => {
      const rows = recordsOf(5);
      const client: FakeProject = new FakeProject(rows, (answer, call, options) =>
        call === 1 ? client.answerTo({ ...options, records: (options.records ?? []).slice(1) }) : answer,
      );

      expect(await bytesOf(client, { ...SETTINGS, format })).to.equal(String(client.answerTo({ format })));
      expect(client.batches).to.deep.include([rows[0]?.['record_id']]);
    });
  }

  it('does not overwrite the rows of a batch before the next is requested, even if later ones are repeated', async () => {
    const rows = recordsOf(4);
    const client = new FakeProject(rows, (answer, call) =>
      call === 2 ? brokenAfter(answer.subarray(0, 30), new UpstreamUnavailableError('body')) : answer,
    );
    const batches = exportInBatches(await planBatches(client, { ...SETTINGS, batchSize: 2, concurrency: 2 }));
    const { value: first } = await batches.next();
    while (client.calls.length < 4) await pause(1);
    await pause(5);

    expect([...(first?.rows ?? [])].map(String)).to.deep.equal(
      rows.slice(0, 2).map((row) => JSON.stringify(row)),
    );
    const { value: second } = await batches.next();
    expect([...(second?.rows ?? [])].map(String)).to.deep.equal(
      rows.slice(2).map((row) => JSON.stringify(row)),
    );
    await batches.return();
  });

  it('fails if listed records stay missing, and lists them outside the message', async () => {
    const rows = recordsOf(5);
    const lost = String(rows[3]?.['record_id']);
    const client: FakeProject = new FakeProject(rows, (answer, _call, options) =>
      options.records
        ? client.answerTo({ ...options, records: options.records.filter((id) => id !== lost) })
        : answer,
    );

    const error = await rejection(batchesOf(client, SETTINGS));

    expect(error).to.have.property('code', 'incomplete_export');
    expect(error['missing']).to.deep.equal([lost]);
    expect(error.message).to.not.include(lost);
  });

  it('fails if an answer contains a record that was not requested', async () => {
    const client: FakeProject = new FakeProject(recordsOf(5), (answer, call, options) =>
      call >= 1 ? client.answerTo({ format: options.format }) : answer,
    );

    const error = await rejection(batchesOf(client, SETTINGS));

    expect(error).to.have.property('code', 'upstream_invalid');
    expect(error.message).to.include('not asked for');
  });

  it('yields a row that arrived twice only once', async () => {
    const rows = recordsOf(2).flatMap((row) => [
      { ...row, redcap_repeat_instance: '' },
      { ...row, redcap_repeat_instance: 1 },
    ]);
    const client = new FakeProject(rows, (answer, call) =>
      call === 1 ? Buffer.from(JSON.stringify([...rows, ...rows.slice(1)])) : answer,
    );

    expect(await bytesOf(client, SETTINGS)).to.equal(String(client.answerTo({ format: 'json' })));
  });

  it('fails if the columns change between batches', async () => {
    const client = new FakeProject(recordsOf(5), (answer, call) =>
      call === 2 ? Buffer.from(String(answer).replace('age', 'new')) : answer,
    );

    const error = await rejection(batchesOf(client, { ...SETTINGS, format: 'csv' }));

    expect(error.message).to.include('columns');
  });

  it('explains that hashed ids cannot be requested', async () => {
    const rows = recordsOf(4).map((row, index) => ({ ...row, record_id: String(index).repeat(32) }));
    const client = new FakeProject(rows, (answer, call) => (call === 0 ? answer : Buffer.from('[]')));

    const error = await rejection(batchesOf(client, SETTINGS));

    expect(error).to.have.property('code', 'invalid_request');
    expect(error.message).to.include('de-identified');
  });

  it('STR-03: requests smaller batches if an answer is too large, and never holds more than the limit', async () => {
    const size = 5000;
    const rows = recordsOf(40, { note: 'x'.repeat(size) });
    const client = new FakeProject(rows, undefined, 1000);

    const batches = await batchesOf(client, {
      ...SETTINGS,
      batchSize: 40,
      maxBatchBytes: 4 * size,
      concurrency: 1,
    });

    expect(batches.map(({ bytes }) => bytes).filter((bytes) => bytes > 4 * size)).to.deep.equal([]);
    expect(
      batches.flatMap(({ texts }) => texts.map((text) => (JSON.parse(text) as RecordRow)['record_id'])),
    ).to.deep.equal(rows.map((row) => row['record_id']));
    expect(client.bodies.filter((body) => !body.destroyed)).to.deep.equal([]);
  });

  it('STR-03: fetches no further ahead than allowed while the batches are not consumed', async () => {
    const client = new FakeProject(recordsOf(100));
    const batches = exportInBatches(await planBatches(client, { ...SETTINGS, batchSize: 5, concurrency: 2 }));

    await batches.next();
    const asked = client.batches.length;
    await batches.return();

    expect(asked).to.equal(3);
  });

  it('halves a batch when REDCap runs out of memory, down to single records', async () => {
    const client = new FakeProject(recordsOf(8), (answer, _call, { records }) => {
      if (records && records.length > 2) throw new UpstreamInvalidError('Out.', { isOutOfMemory: true });
      return answer;
    });

    const bytes = await bytesOf(client, { ...SETTINGS, batchSize: 8 });

    expect(bytes).to.equal(String(client.answerTo({ format: 'json' })));
  });

  it('reports a single record that is larger than a batch may be', async () => {
    const client = new FakeProject(recordsOf(2, { note: 'x'.repeat(500) }));

    const error = await rejection(batchesOf(client, { ...SETTINGS, maxBatchBytes: 400 }));

    expect(error.message).to.include('single record');
  });

  it('cancels pending batches when the iteration ends early', async () => {
    const client = new FakeProject(recordsOf(20), (answer, call) =>
      call === 2 ? new Readable({ read: () => undefined }) : answer,
    );

    for await (const _batch of exportInBatches(await planBatches(client, SETTINGS))) break;

    expect(client.bodies[2]).to.have.property('destroyed', true);
  });

  for (const selection of [{ fields: ['age'] }, { forms: ['other'] }]) {
    it(`refuses a selection without the record id: ${JSON.stringify(selection)}`, async () => {
      const error = await rejection(batchesOf(new FakeProject([]), { ...SETTINGS, ...selection }));

      expect(error).to.have.property('code', 'invalid_request');
      expect(error['errors']).to.have.nested.property('[0].field', 'fields');
    });
  }

  for (const wrong of [{ batchSize: 0 }, { batchSize: 1.5 }, { batchSize: 10_001 }, { concurrency: 5 }]) {
    it(`refuses ${JSON.stringify(wrong)}`, async () => {
      const error = await rejection(batchesOf(new FakeProject([]), { ...SETTINGS, ...wrong }));

      expect(error).to.have.property('code', 'invalid_request');
    });
  }
});

/** Returns the batches with the texts of their rows, which must be read before the next batch. */
async function batchesOf(
  client: FakeProject,
  options: BatchedExportOptions,
): Promise<(Batch & { readonly texts: readonly string[] })[]> {
  const batches = [];
  for await (const batch of exportInBatches(await planBatches(client, options))) {
    batches.push({ ...batch, texts: [...batch.rows].map(String) });
  }
  return batches;
}

async function bytesOf(client: FakeProject, options: BatchedExportOptions): Promise<string> {
  const batches = exportInBatches(await planBatches(client, options));
  return String(await buffer(batchBytes(batches, { format: options.format })));
}
