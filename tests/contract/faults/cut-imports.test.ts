import http from 'node:http';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { createLogger } from '../../../src/server/logging/logger.js';
import { BODY_OF, id, type Row } from '../../support/import-project.js';
import { startFaultyService, type FaultyService } from './faulty-redcap.js';
import { ask, MEDIA_TYPES } from './http-answer.js';

const FORMATS = ['json', 'ndjson', 'csv'] as const;
type Format = (typeof FORMATS)[number];
const CHUNK = 5;
/** Appears in every value and every record id, so it must not appear in the log. */
const SENTINEL = 'SENTINEL-4be1';

/** The rows of one request, identified by their ids. */
function rowsOf(request: number): Row[] {
  return Array.from({ length: 18 }, (_, row) => ({
    record_id: `${SENTINEL}-${id(request * 100 + row)}`,
    age: String(20 + row),
    note: `${SENTINEL} "${row}",\n straße`,
  }));
}

describe('An import whose client disconnects in the middle of its body', () => {
  let service: FaultyService;
  const log: string[] = [];
  let heard: () => void = () => undefined;
  /** The rows that REDCap received, by request and call. A call may arrive after its client has disconnected. */
  const given = new Map<number, Row[][]>();
  let requests = 0;

  before(async () => {
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        log.push(chunk.toString());
        heard();
        done();
      },
    });
    const logger = await createLogger({ level: 'trace', destination });
    service = await startFaultyService(
      ({ form }) => {
        const rows = JSON.parse(form.get('data') ?? '[]') as Row[];
        const request = Math.floor(Number(String(rows[0]?.['record_id']).slice(-6)) / 100);
        given.set(request, [...callsOf(request), rows]);
        heard();
        return { kind: 'answer', body: JSON.stringify({ count: rows.length }) };
      },
      { imports: { batchSize: CHUNK }, logger },
    );
  });

  after(() => service.close());

  function callsOf(request: number): Row[][] {
    return given.get(request) ?? [];
  }

  async function until(isMet: () => boolean): Promise<void> {
    while (!isMet()) await new Promise<void>((resolve) => (heard = resolve));
  }

  /** Sends a part of a body, disconnects, and waits for the service to notice. */
  async function sendPart(number: number, format: Format, options: Options): Promise<void> {
    const body = Buffer.from(BODY_OF[format](rowsOf(number)));
    const part = body.subarray(0, 1 + Math.floor((body.length - 1) * options.share));
    const requestId = `cut-import-${number}`;
    const request = http.request(`${service.url}/api/v1/records`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: service.authorization,
        'content-type': MEDIA_TYPES[format],
        'x-request-id': requestId,
        ...(options.isChunked ? {} : { 'content-length': body.length }),
        ...(options.key !== undefined && { 'idempotency-key': options.key }),
      },
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    await new Promise((resolve) => request.write(part, resolve));
    request.destroy();
    await until(() => log.some((line) => line.includes(requestId) && line.includes('"aborted":true')));
  }

  for (const format of FORMATS) {
    it(`IN-24: stores nothing, and logs no value (${format})`, async () => {
      const first = requests;
      const options = fc.record({
        share: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        isChunked: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(options, (sent) => sendPart(requests++, format, sent)),
        { numRuns: 60 },
      );

      for (let request = first; request < requests; request += 1) {
        expect(callsOf(request)).to.deep.equal([]);
      }
      expect(log.join('')).to.not.include(SENTINEL);
    });

    for (const share of [0.1, 0.9]) {
      it(`UP-07: releases the key after ${share * 100} % had arrived (${format})`, async () => {
        const number = requests++;
        const key = `cut-import-${number}`;
        await sendPart(number, format, { share, isChunked: false, key });

        const headers = { 'content-type': MEDIA_TYPES[format], 'idempotency-key': key };
        const body = BODY_OF[format](rowsOf(number));
        const repeat = () => ask(service, '/api/v1/records', { method: 'POST', headers, body });
        let again = await repeat();
        // The log line may be written before the import ends.
        while (again.status === 409) again = await repeat();

        expect(again).to.include({ status: 200 });
        expect(callsOf(number).flat()).to.have.deep.members(rowsOf(number));
      });
    }

    it(`stores nothing of a body that is not UTF-8 in its first batch (${format})`, async () => {
      const number = requests++;
      const body = BODY_OF[format](rowsOf(number).slice(0, 3)).replace('straße', 'stra?e');
      const bytes = Buffer.from(body);
      bytes[bytes.indexOf('stra?e') + 4] = 0xdf;

      const answer = await ask(service, '/api/v1/records', {
        method: 'POST',
        headers: { 'content-type': MEDIA_TYPES[format] },
        body: bytes,
      });

      expect(answer.problem).to.include({ code: 'malformed_request', status: 400 });
      expect(answer.body.toString() + log.join('')).to.not.include(SENTINEL);
      expect(callsOf(number)).to.deep.equal([]);
    });
  }
});

interface Options {
  /** How much of the body is sent. */
  readonly share: number;
  readonly isChunked: boolean;
  readonly key?: string;
}
