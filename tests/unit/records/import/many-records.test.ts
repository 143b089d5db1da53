import { expect } from 'chai';
import type { ImportDataOptions, ImportResult } from '../../../../src/gateways/redcap/crf-client.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { rejection } from '../../../support/rejection.js';
import { ImportProject, write } from '../../../support/import-project.js';

/** A project that numbers the records it receives and stores none. */
class LeanProject extends ImportProject {
  override importData(data: string | Buffer, { returnContent }: ImportDataOptions): Promise<ImportResult> {
    const ids = [...data.toString().matchAll(/"record_id":"(\d+)"/g)].map(([, record]) => record ?? '');
    return Promise.resolve(returnContent === 'auto_ids' ? { count: ids.length, ids } : { count: ids.length });
  }
}

describe('An import of more than a million records', function () {
  this.timeout(120_000);

  it('stops when it can no longer remember their ids, and reports what was stored', async () => {
    const rows = Array.from({ length: 1_000_001 }, (_, at) => Buffer.from(`${at}\n`));
    const body = Buffer.concat([Buffer.from('record_id\n'), ...rows]);
    const request = { format: 'csv', forceAutoNumber: true, returnContent: 'auto_ids' } as const;
    const writer = new RecordWriter(new LeanProject(), { batchSize: 50_000 });

    const error = await rejection(write(writer, body, request));

    expect(error).to.include({ code: 'import_interrupted', stored: 1_000_000, isUncertain: false });
    expect(error['errors']).to.have.nested.property('[0].message').that.includes('at most 1000000');
  });
});
