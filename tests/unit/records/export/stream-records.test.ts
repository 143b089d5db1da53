import { expect } from 'chai';
import {
  UpstreamInvalidError,
  UpstreamUnavailableError,
} from '../../../../src/domain/errors/upstream-errors.js';
import type {
  ExportProgress,
  RecordRow,
  StreamRecordsOptions,
} from '../../../../src/gateways/redcap/crf-client.js';
import { streamRecords } from '../../../../src/records/export/stream-records.js';
import { turnsUntil } from '../../../support/turns-until.js';
import { rejection } from '../../../support/rejection.js';
import { brokenAfter, FakeProject, recordsOf } from '../../../support/fake-project.js';

describe('streamRecords', () => {
  for (const batchSize of [undefined, 1, 4, 100]) {
    it(`yields every row in order, with batch size ${batchSize ?? 'unset'}`, async () => {
      const rows = recordsOf(10, { note: '"}, {\n' });

      expect(await rowsOf(new FakeProject(rows, undefined, 7), { batchSize })).to.deep.equal(rows);
    });
  }

  it('lets other work in after every 64 KiB, also of an answer that is there at once', async () => {
    const rows = recordsOf(1000, { note: 'n'.repeat(1000) });

    expect(await turnsUntil(rowsOf(new FakeProject(rows, undefined, 2 ** 20)))).to.be.at.least(15);
  });

  it('makes no call before the first row is requested', () => {
    const client = new FakeProject(recordsOf(1));

    streamRecords(client, {});

    expect(client.calls).to.deep.equal([]);
  });

  it('cancels the call when the loop ends early', async () => {
    const client = new FakeProject(recordsOf(1000), undefined, 100);

    for await (const _row of streamRecords(client)) break;

    expect(client.bodies[0]).to.have.property('destroyed', true);
  });

  it('reports progress after each batch', async () => {
    const reports: ExportProgress[] = [];

    await rowsOf(new FakeProject(recordsOf(5)), {
      batchSize: 2,
      onProgress: (progress) => reports.push(progress),
    });

    expect(reports.map(({ records, total }) => [records, total])).to.deep.equal([
      [2, 5],
      [4, 5],
      [5, 5],
    ]);
  });

  it('replaces bytes that are not UTF-8, and reads control characters that JSON forbids', async () => {
    const json = Buffer.from('[{"record_id":"A\n\u0001","age":"\xff"}]', 'latin1');
    const client = new FakeProject([], () => json);

    expect(await rowsOf(client)).to.deep.equal([{ record_id: 'A\n\u0001', age: '\uFFFD' }]);
  });

  it('throws the error of an interrupted answer after the rows received', async () => {
    const client = new FakeProject(recordsOf(3), (answer) =>
      brokenAfter(answer.subarray(0, -20), new UpstreamUnavailableError('body')),
    );
    const rows: RecordRow[] = [];

    const error = await rejection(
      (async () => {
        for await (const row of streamRecords(client)) rows.push(row);
      })(),
    );

    expect(error).to.have.property('code', 'upstream_unavailable');
    expect(rows).to.have.length(2);
  });

  for (const [name, failure] of [
    ['runs out of memory', new UpstreamInvalidError('Out.', { isOutOfMemory: true })],
    ['disconnects before the first byte', new UpstreamUnavailableError('body')],
  ] as const) {
    it(`continues in batches if REDCap ${name}`, async () => {
      const rows = recordsOf(1200);
      const client = new FakeProject(rows, (answer, call) =>
        call === 0 ? brokenAfter(Buffer.alloc(0), failure) : answer,
      );

      expect(await rowsOf(client)).to.deep.equal(rows);
      expect(client.batches.slice(1).map((ids) => ids.length)).to.deep.equal([500, 500, 200]);
    });
  }

  it('throws the first error if batches are not possible', async () => {
    const failure = new UpstreamInvalidError('Out.', { isOutOfMemory: true });
    const client = new FakeProject(recordsOf(3), () => brokenAfter(Buffer.alloc(0), failure));

    expect(await rejection(rowsOf(client, { fields: ['age'] }))).to.equal(failure);
  });
});

async function rowsOf(client: FakeProject, options: StreamRecordsOptions = {}): Promise<RecordRow[]> {
  const rows: RecordRow[] = [];
  for await (const row of streamRecords(client, options)) rows.push(row);
  return rows;
}
