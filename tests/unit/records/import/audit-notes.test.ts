import { Readable } from 'node:stream';
import { expect } from 'chai';
import { UpstreamUnavailableError } from '../../../../src/domain/errors/upstream-errors.js';
import type { AuditDetails } from '../../../../src/records/audit-notes.js';
import type { ImportRequest } from '../../../../src/records/import/import-request.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { rejection } from '../../../support/rejection.js';
import { BODY_OF, ImportProject, rowsOf } from '../../../support/import-project.js';

describe('The audit notes of an import', () => {
  let project: ImportProject;
  let writer: RecordWriter;
  let notes: AuditDetails[];

  beforeEach(() => {
    project = new ImportProject();
    writer = new RecordWriter(project, { batchSize: 10 });
    notes = [];
  });

  let named: string[][];
  beforeEach(() => (named = []));

  /** Imports 25 rows in three calls, and returns what was noted. */
  async function noted(
    { request = {}, idempotencyKey }: { request?: Partial<ImportRequest>; idempotencyKey?: string } = {},
    isFailing = false,
  ): Promise<AuditDetails[]> {
    const written = writer.write(
      Readable.from([Buffer.from(BODY_OF.json(rowsOf(25)))], { objectMode: false }),
      { format: 'json', ...request },
      { idempotencyKey, scope: 'tester' },
      {
        audit: {
          add: (details) => notes.push(details),
          records: async (ids) => void named.push([...ids]),
        },
      },
    );
    await (isFailing ? rejection(written) : written);
    return notes;
  }

  it('LOG-04: state how many records were stored, in how many calls', async () => {
    expect(await noted()).to.deep.equal([{ imported: 25, batches: 3, dryRun: undefined }]);
  });

  it('LOG-04: name the records of each call before it is sent', async () => {
    project.before = (call) => {
      expect(named.length).to.be.at.least(call + 1);
      return undefined;
    };
    await noted();

    expect(named.map(({ length }) => length)).to.deep.equal([10, 10, 5]);
    expect(named.flat()).to.deep.equal(rowsOf(25).map(({ record_id }) => record_id));
  });

  it('LOG-04: name no record that is still to be numbered', async () => {
    await noted({ request: { forceAutoNumber: true } });

    expect(named).to.deep.equal([]);
  });

  it('LOG-04: state that nothing was stored with dryRun', async () => {
    expect(await noted({ request: { dryRun: true } })).to.deep.equal([
      { imported: 25, batches: 3, dryRun: true },
    ]);
  });

  it('LOG-04: state that nothing was stored if the first call fails', async () => {
    project.before = () => Promise.reject(new UpstreamUnavailableError('connect'));

    expect(await noted({}, true)).to.deep.equal([{ imported: 0 }]);
  });

  it('LOG-04: state how many records were stored before an interruption, and whether more may have been', async () => {
    project.before = (call) =>
      call === 1 ? Promise.reject(new UpstreamUnavailableError('body')) : undefined;
    writer = new RecordWriter(project, { batchSize: 10, concurrency: 1 });

    expect(await noted({}, true)).to.deep.equal([{ imported: 10, isUncertain: true }]);
  });

  it('UP-07, LOG-04: state that an answer was repeated', async () => {
    await noted({ idempotencyKey: 'key' });
    expect(notes).to.deep.equal([{ imported: 25, batches: 3, dryRun: undefined }]);
    notes = [];

    expect(await noted({ idempotencyKey: 'key' })).to.deep.equal([{ replayed: true }]);
  });
});
