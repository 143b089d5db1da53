import { expect } from 'chai';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { startFaultServer, type FaultServer, type Framing } from '../../support/fault-server.js';
import { runCrf } from '../../support/run-crf.js';
import { startService, type TestService } from '../../support/start-service.js';
import { rejection } from '../../support/rejection.js';
import { ask, MEDIA_TYPES } from './http-answer.js';
import { BARE, bareClient, download, SENTINEL_TOKEN } from '../../support/fault-client.js';
import { designOf } from '../../support/import-faults.js';

/** A value that looks like an end of the answer in every format. */
const NOTE = 'a "b"}]\n1,ü\n';
const ROWS = [
  { record_id: '1', note: NOTE },
  { record_id: '2', note: '' },
];
const BODIES = {
  json: Buffer.from(JSON.stringify(ROWS)),
  csv: Buffer.from(`record_id,note\n1,"${NOTE.replaceAll('"', '""')}"\n2,\n`),
} as const;
const FORMATS = ['json', 'csv'] as const;
type Format = (typeof FORMATS)[number];

const FRAMINGS = ['length', 'chunked', 'close'] as const;
const ENCODINGS = ['identity', 'gzip'] as const;
const ENDS = ['end', 'reset'] as const;

function dataOf(body: Buffer): unknown {
  return (JSON.parse(String(body)) as { data: unknown }).data;
}

/** What the server does: how it sends an answer, and after how many of its bytes it stops. */
interface Cut {
  readonly framing: Framing;
  readonly encoding: (typeof ENCODINGS)[number];
  readonly how: (typeof ENDS)[number];
  readonly length: number;
}

const sentBody = (body: Buffer, encoding: Cut['encoding']): Buffer =>
  encoding === 'gzip' ? gzipSync(body) : body;

/**
 * Returns whether a cut cannot be noticed: only the closed connection marks the end, and what arrived is a header and
 * whole rows.
 */
function isBetweenRows(format: Format, { framing, encoding, length }: Cut): boolean {
  const got = BODIES[format].toString('latin1', 0, length);
  const isRow = got.endsWith('\n') && (got.split('"').length - 1) % 2 === 0;
  return format === 'csv' && framing === 'close' && encoding === 'identity' && isRow;
}

describe('An answer that is cut at every byte', function () {
  this.timeout(60_000);
  let server: FaultServer;
  let service: TestService;
  /** Applies to exports of records; other calls are answered. */
  let cut: Cut;

  before(async () => {
    server = await startFaultServer(({ form }) => {
      const design = designOf(form);
      if (design !== undefined) return { kind: 'answer', body: design };
      if (form.get('content') !== 'record') return { kind: 'answer', body: '"16.1.9"' };
      // An export that breaks off before its first byte is tried again in batches, which this REDCap refuses.
      if ([...form.keys()].some((name) => name.startsWith('fields')))
        return { kind: 'answer', status: 403, body: '' };
      const { framing, encoding, how, length } = cut;
      const body = sentBody(BODIES[form.get('format') === 'csv' ? 'csv' : 'json'], encoding);
      const sent = { body, framing, headers: encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {} };
      if (length >= body.length) return { kind: 'answer', ...sent };
      return { kind: 'cut', ...sent, fraction: (length + 0.5) / body.length, how };
    });
    service = await startService({
      capture: createCrfClient({
        url: server.url,
        token: SENTINEL_TOKEN,
        resilience: { ...BARE.resilience, cacheMs: 600_000, breakerFailures: 0 },
      }),
    });
  });
  after(async () => {
    await service.close();
    await server.close();
  });

  const SURFACES: Readonly<Record<string, (format: Format) => Promise<Buffer | undefined>>> = {
    'the client library': async (format) => {
      const client = bareClient(server.url, {
        timeouts: {},
        resilience: { ...BARE.resilience, breakerFailures: 0 },
      });
      try {
        return await download(client, format);
      } catch {
        return undefined;
      } finally {
        client.close();
      }
    },
    REST: async (format) => {
      const headers = { accept: MEDIA_TYPES[format] };
      const { status, isWhole, body } = await ask(service, '/api/v1/records', { headers });
      if (status !== 200 || !isWhole) return undefined;
      // A truncated document would not be JSON, and fail the test.
      return format === 'csv' ? body : Buffer.from(JSON.stringify(dataOf(body)));
    },
  };

  for (const [surface, read] of Object.entries(SURFACES)) {
    for (const format of FORMATS) {
      it(`is complete through ${surface} if nothing is cut (${format})`, async () => {
        for (const framing of FRAMINGS) {
          for (const encoding of ENCODINGS) {
            cut = { framing, encoding, how: 'end', length: 1_000 };
            expect(await read(format)).to.deep.equal(BODIES[format]);
          }
        }
      });

      for (const framing of FRAMINGS) {
        it(`LIB-04: never passes for complete through ${surface} (${format}, ${framing})`, async () => {
          for (const encoding of ENCODINGS) {
            for (const how of ENDS) {
              const all = sentBody(BODIES[format], encoding).length;
              for (let length = 0; length < all; length += 1) {
                cut = { framing, encoding, how, length };
                const got = await read(format);

                if (how === 'end' && isBetweenRows(format, cut))
                  expect(got).to.deep.equal(BODIES[format].subarray(0, length));
                else if (got !== undefined)
                  expect(String(got), `${encoding}, ${how}, byte ${length}`).to.equal(String(BODIES[format]));
              }
            }
          }
        });
      }
    }
  }

  it('LIB-04: never passes for complete as rows, whatever marks its end', async () => {
    const client = bareClient(server.url, {
      timeouts: {},
      resilience: { ...BARE.resilience, breakerFailures: 0 },
    });
    for (const framing of FRAMINGS) {
      for (const how of ENDS) {
        for (let length = 1; length < BODIES.json.length; length += 1) {
          cut = { framing, encoding: 'identity', how, length };
          expect(await rejection(client.exportRecords())).to.have.property('isRetryable', true);
        }
      }
    }
    client.close();
  });

  it('LIB-04: never passes for complete on the command line', async () => {
    const cuts = fc.record({
      format: fc.constantFrom(...FORMATS),
      framing: fc.constantFrom(...FRAMINGS),
      encoding: fc.constantFrom(...ENCODINGS),
      how: fc.constantFrom(...ENDS),
      part: fc.double({ min: 0, max: 0.99, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(cuts, async ({ format, part, ...rest }) => {
        cut = { ...rest, length: Math.floor(part * sentBody(BODIES[format], rest.encoding).length) };
        fc.pre(!isBetweenRows(format, cut));

        const { exitCode, stdout } = await runCrf(['export', '--format', format], {
          environment: {
            CAPTURE_API_URL: server.url,
            CAPTURE_API_TOKEN: SENTINEL_TOKEN,
            CAPTURE_MAX_RETRIES: '0',
          },
        });

        if (exitCode === 0) expect(stdout.trimEnd()).to.equal(String(BODIES[format]).trimEnd());
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
