import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import fc from 'fast-check';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import { RecordExporter, type ExportRequest } from '../../../../src/records/export/record-exporter.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { field, FORMATS } from '../../../support/import-project.js';
import { STUDY } from '../../../support/random-import-study.js';
import { withProjects } from './with-projects.js';

const FIELDS_NO_IMPORT_STORES = [
  field('scan', { instrument: 'base', type: 'file' }),
  field('doubled', { instrument: 'base', type: 'calc', choicesOrCalculations: '[age] * 2' }),
  field('intro', { instrument: 'base', type: 'descriptive' }),
];

/** A random study with a file, a calculated and a descriptive field. Some base rows have a file. */
const WITH_EVERYTHING: fc.Arbitrary<Study> = fc
  .tuple(STUDY, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }))
  .map(([study, hasFile]) => ({
    ...study,
    fields: [...study.fields.slice(0, 5), ...FIELDS_NO_IMPORT_STORES, ...study.fields.slice(5)],
    rows: study.rows.map((row, at) =>
      hasFile[at % 4] && 'base_complete' in row ? { ...row, scan: 'scan.pdf' } : row,
    ),
  }));

describe('The output of an export', function () {
  this.timeout(120_000);

  for (const format of FORMATS) {
    for (const type of ['flat', 'eav'] as const) {
      it(`can be imported unchanged (${type} ${format}), and is then exported the same`, async () => {
        await fc.assert(
          fc.asyncProperty(
            WITH_EVERYTHING,
            fc.integer({ min: 1, max: 8 }),
            fc.constantFrom(',', ';', 'tab', '|', '^'),
            fc.boolean(),
            async (study, batchSize, csvDelimiter, hasEnvelope) => {
              await withProjects(study, async (full, empty) => {
                const body = await exported(full, {
                  format,
                  type,
                  exportSurveyFields: type === 'flat',
                  ...(format === 'csv' ? { csvDelimiter } : { hasEnvelope }),
                  ...(format === 'ndjson' && { trailer: true }),
                });

                const outcome = await new RecordWriter(empty, { batchSize }).write(
                  Readable.from([body], { objectMode: false }),
                  { format, type },
                  { scope: 'tester' },
                );

                expect(outcome.count).to.equal(new Set(study.rows.map(({ record_id }) => record_id)).size);
                const files = study.rows.filter((row) => row['scan'] !== undefined).length;
                const ignored = outcome.ignored?.find((column) => column.field === 'scan');
                expect(ignored?.values ?? 0).to.equal(files);
                expect(await withoutFiles(empty)).to.deep.equal(await withoutFiles(full));
              });
            },
          ),
          { numRuns: 25 },
        );
      });
    }
  }
});

async function withoutFiles(client: CrfClient): Promise<unknown> {
  return (await client.exportRecords()).map(({ scan: _scan, ...row }) => row);
}

async function exported(client: CrfClient, request: ExportRequest): Promise<Buffer> {
  const body = await new RecordExporter(client).open(request);
  const sink = new PassThrough();
  const [written] = await Promise.all([buffer(sink), body.pipeTo(sink)]);
  return written;
}
