import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { RecordExporter } from '../../../src/records/export/record-exporter.js';
import type { Framing } from '../../support/fault-server.js';
import { FakeProject, recordsOf } from '../../support/fake-project.js';
import { withFaults } from '../../support/fault-client.js';
import { METADATA } from '../../support/import-faults.js';

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

/** What a reader has received when an export ends, and whether it ended normally. */
async function read(exporter: RecordExporter, format: Format, batchSize?: number) {
  try {
    const sink = new PassThrough();
    const got = text(sink).catch(() => undefined);
    const body = await exporter.open({ format, batchSize, hasEnvelope: false });
    await body.pipeTo(sink);
    return await got;
  } catch {
    return undefined;
  }
}

/** Runs an export for every length of the first answer with records; all later answers are complete. */
async function cutEverywhere(
  format: Format,
  framing: Framing,
  batchSize: number | undefined,
  expectOutcome: (got: string | undefined, length: number) => void,
): Promise<void> {
  const body = upstreamOf(format);
  let length = 0;
  let isCut = false;
  await withFaults(
    ({ form }) => {
      if (form.get('content') === 'metadata') return { kind: 'answer', body: METADATA };
      const records = [...form].filter(([name]) => name.startsWith('records[')).map(([, value]) => value);
      const isFirst = (batchSize === undefined || records.length > 0) && !isCut;
      if (isFirst) isCut = true;
      const answer = PROJECT.answerTo({
        format: form.get('format') === 'csv' ? 'csv' : 'json',
        ...(records.length > 0 && { records }),
      });
      return isFirst && form.get('format') === (format === 'csv' ? 'csv' : 'json')
        ? { kind: 'cut', body: answer, fraction: (length + 0.5) / answer.length, framing }
        : { kind: 'answer', body: answer };
    },
    async ({ client }) => {
      const exporter = new RecordExporter(client, { retryBaseMs: 1 });
      for (length = 0; length < body.length; length += 1) {
        isCut = false;
        expectOutcome(await read(exporter, format, batchSize), length);
      }
    },
    { timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 }, resilience: { cacheMs: 60_000 } },
  );
}

describe('An export with an answer truncated at every byte', () => {
  for (const format of FORMATS) {
    for (const framing of ['length', 'chunked', 'close'] as const) {
      it(`LIB-04: fails or is repeated, and never passes for complete (${format}, ${framing})`, async () => {
        const bytes = upstreamOf(format);
        await cutEverywhere(format, framing, undefined, (got, length) => {
          // If only closing the connection ends a body, CSV truncated between two lines is valid CSV.
          const isBetweenLines = format === 'csv' && framing === 'close' && bytes[length - 1] === 0x0a;
          if (isBetweenLines) expect(got).to.equal(bytes.toString('utf8', 0, length));
          else if (got !== undefined) expect(got, `cut at byte ${length}`).to.equal(wholeOf(format));
        });
      });

      it(`LIB-04: is complete nevertheless in batches (${format}, ${framing})`, async () => {
        await cutEverywhere(format, framing, 10, (got, length) => {
          expect(got, `cut at byte ${length}`).to.equal(wholeOf(format));
        });
      });
    }
  }
});
