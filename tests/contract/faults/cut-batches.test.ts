import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { RecordExporter } from '../../../src/records/export/record-exporter.js';
import { FakeProject, recordsOf } from '../../support/fake-project.js';
import { withFaults } from '../../support/fault-client.js';
import { designOf } from '../../support/import-faults.js';

const FORMATS = ['json', 'ndjson', 'csv'] as const;
type Format = (typeof FORMATS)[number];

const ROWS = recordsOf(3, { note: 'a "b", ü' });
const PROJECT = new FakeProject(ROWS);

function upstreamOf(format: Format): Buffer {
  return PROJECT.answerTo({ format: format === 'csv' ? 'csv' : 'json' });
}

function wholeOf(format: Format): string {
  return format === 'ndjson'
    ? ROWS.map((row) => `${JSON.stringify(row)}\n`).join('')
    : String(upstreamOf(format));
}

/** Returns what a reader has received when an export in batches ends. */
async function read(exporter: RecordExporter, format: Format): Promise<string> {
  const body = await exporter.open({ format, batchSize: 10, hasEnvelope: false });
  const sink = new PassThrough();
  const [got] = await Promise.all([text(sink), body.pipeTo(sink)]);
  return got;
}

describe('An export in batches whose first batch is cut at every byte', () => {
  for (const format of FORMATS) {
    for (const framing of ['length', 'chunked', 'close'] as const) {
      it(`LIB-04: is complete nevertheless (${format}, ${framing})`, async () => {
        const size = upstreamOf(format).length;
        let length = 0;
        let isCut = false;
        await withFaults(
          ({ form }) => {
            const design = designOf(form);
            if (design !== undefined) return { kind: 'answer', body: design };
            const records = [...form].filter(([name]) => name.startsWith('records[')).map(([, id]) => id);
            const body = PROJECT.answerTo({
              format: form.get('format') === 'csv' ? 'csv' : 'json',
              ...(records.length > 0 && { records }),
            });
            if (records.length === 0 || isCut) return { kind: 'answer', body };
            isCut = true;
            return { kind: 'cut', body, fraction: (length + 0.5) / body.length, framing };
          },
          async ({ client }) => {
            const exporter = new RecordExporter(client, { retryBaseMs: 1 });
            for (length = 0; length < size; length += 1) {
              isCut = false;
              expect(await read(exporter, format), `cut at byte ${length}`).to.equal(wholeOf(format));
              expect(isCut).to.equal(true);
            }
          },
          {
            timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 },
            resilience: { cacheMs: 60_000 },
          },
        );
      });
    }
  }
});
