import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import fc from 'fast-check';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import { RecordExporter } from '../../../../src/records/export/record-exporter.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { FORMATS } from '../../../support/import-project.js';
import { STUDY } from '../../../support/random-import-study.js';
import { withProjects } from './with-projects.js';

describe('A random project that is exported and imported', () => {
  for (const format of FORMATS) {
    it(`is unchanged through ${format} and any number of calls`, async () => {
      await fc.assert(
        fc.asyncProperty(STUDY, fc.integer({ min: 1, max: 8 }), async (study, chunkRows) => {
          await withProjects(study, async (full, empty) => {
            const before = await exported(full, format);
            const body = format === 'json' ? `{"records":${before}}` : before;
            const source = Readable.from([Buffer.from(body)], { objectMode: false });

            const { count } = await new RecordWriter(empty, { chunkRows }).write(
              source,
              { format },
              { scope: 'tester' },
            );

            expect(count).to.equal(new Set(study.rows.map(({ record_id }) => record_id)).size);
            expect(await exported(empty, format)).to.equal(before);
            expect(await empty.exportRecords()).to.deep.equal(await full.exportRecords());
          });
        }),
        { numRuns: 60 },
      );
    });
  }
});

async function exported(client: CrfClient, format: (typeof FORMATS)[number]): Promise<string> {
  const body = await new RecordExporter(client).open({
    format,
    hasEnvelope: false,
    trailer: format === 'ndjson',
  });
  const sink = new PassThrough();
  const [written] = await Promise.all([text(sink), body.pipeTo(sink)]);
  return written;
}
