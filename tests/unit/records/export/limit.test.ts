import { Writable } from 'node:stream';
import { expect } from 'chai';
import { RecordExporter, type ExportRequest } from '../../../../src/records/export/record-exporter.js';
import { streamRecords } from '../../../../src/records/export/stream-records.js';
import { rejection } from '../../../support/rejection.js';
import { FakeProject, recordsOf } from '../../../support/fake-project.js';

const FORMATS = ['json', 'ndjson', 'csv'] as const;

describe('The first rows of an export', () => {
  const rows = recordsOf(200, { note: 'said "x",\nthen left' });

  for (const format of FORMATS) {
    for (const batchSize of [undefined, 3, 50]) {
      for (const limit of [1, 10, 200, 500]) {
        it(`are ${limit} of 200 as ${format} with batch size ${batchSize ?? 'unset'}`, async () => {
          const project = new FakeProject(rows, undefined, 101);
          const whole = await textOf(new FakeProject(rows.slice(0, limit)), { format });

          expect(await textOf(project, { format, batchSize, limit })).to.equal(whole);
        });
      }
    }
  }

  it('STR-04: close the answer of REDCap before the reader has consumed them', async () => {
    const project = new FakeProject(rows, undefined, 101);
    const body = await new RecordExporter(project).open({ format: 'json', limit: 2 });

    expect(project.bodies.map(({ destroyed }) => destroyed)).to.deep.equal([true]);
    body.cancel();
  });

  it('request no more records than the limit', async () => {
    const project = new FakeProject(rows);
    await textOf(project, { format: 'csv', batchSize: 100, limit: 7 });

    expect(project.batches.map(({ length }) => length)).to.deep.equal([7]);
  });

  for (const limit of [0, 1.5, 1_000_001]) {
    it(`are refused for a limit of ${limit}, naming the parameter`, async () => {
      const error = await rejection(
        new RecordExporter(new FakeProject(rows)).open({ format: 'json', limit }),
      );

      expect(error).to.have.property('code', 'invalid_request');
      expect(error).to.have.nested.property('errors[0].field', 'limit');
    });
  }

  for (const batchSize of [undefined, 3, 50]) {
    it(`are returned by streamRecords with batch size ${batchSize ?? 'unset'}, which closes the answer of REDCap`, async () => {
      const project = new FakeProject(rows, undefined, 101);
      const taken = [];
      for await (const row of streamRecords(project, { batchSize, limit: 5 })) taken.push(row);

      expect(taken).to.deep.equal(rows.slice(0, 5));
      expect(project.bodies.every(({ destroyed }) => destroyed)).to.equal(true);
    });
  }
});

async function textOf(project: FakeProject, request: ExportRequest): Promise<string> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  await (await new RecordExporter(project).open(request)).pipeTo(sink);
  return Buffer.concat(chunks).toString();
}
