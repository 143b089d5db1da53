import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CsvDelimiter } from '../../../src/gateways/redcap/csv-delimiter.js';
import { BARE, bareClient, SENTINEL_TOKEN, withFaults } from '../../support/fault-client.js';
import { startFaultServer, type Fault, type FaultServer, type Framing } from '../../support/fault-server.js';
import { designOf } from '../../support/import-faults.js';
import { rejection } from '../../support/rejection.js';
import { runCrf } from '../../support/run-crf.js';
import { startService, type TestService } from '../../support/start-service.js';
import { ask, MEDIA_TYPES } from './http-answer.js';

/** Answers that begin as an export, and are none to their end. */
const WRONG: Readonly<Record<string, { readonly format: 'json' | 'csv'; readonly body: string }>> = {
  'an unclosed quote': { format: 'csv', body: 'record_id,note\n1,x\n2,"y\n' },
  'an unclosed quote in its first row': { format: 'csv', body: 'record_id,note\n1,"x\n2,y\n' },
  'half a row': { format: 'csv', body: 'record_id,note\n1,x\n2' },
  'a narrow row in its middle': { format: 'csv', body: 'record_id,note\n1\n2,y\n' },
  'a wide last row': { format: 'csv', body: 'record_id,note\n1,x\n2,y,z\n' },
  'a second array': { format: 'json', body: '[{"record_id":"1"}][{"record_id":"2"}]' },
  'a bracket in the place of a comma': { format: 'json', body: '[{"record_id":"1"}]{"record_id":"2"}]' },
  'an array that is closed inside a row': { format: 'json', body: '[{"record_id":"1"},{"note":"}]' },
};

const FRAMINGS: readonly Framing[] = ['length', 'chunked', 'close'];

describe('An answer whose rows are wrong before its end', function () {
  this.timeout(60_000);
  let server: FaultServer;
  let service: TestService;
  let answer: Fault;

  before(async () => {
    server = await startFaultServer(({ form }) => {
      const design = designOf(form);
      if (design !== undefined) return { kind: 'answer', body: design };
      // An export that breaks off before its first byte is tried again in batches, which this REDCap refuses.
      if ([...form.keys()].some((name) => name.startsWith('fields')))
        return { kind: 'answer', status: 403, body: '' };
      return form.get('content') === 'version' ? { kind: 'answer', body: '16.1.9' } : answer;
    });
    const resilience = { ...BARE.resilience, breakerFailures: 0 };
    service = await startService({
      capture: createCrfClient({ url: server.url, token: SENTINEL_TOKEN, resilience }),
    });
  });
  after(async () => {
    await service.close();
    await server.close();
  });

  for (const [what, { format, body }] of Object.entries(WRONG)) {
    const sent = (framing: Framing): Fault => ({ kind: 'answer', body, framing });

    for (const path of ['/api/v1/records', '/api/v1/records?limit=1000', '/api/v1/reports/1']) {
      it(`LIB-04: is a problem of GET ${path}, not a success or a broken connection (${what})`, async () => {
        for (const framing of ['length', 'chunked'] as const) {
          answer = sent(framing);
          const { status, problem } = await ask(service, path, { headers: { accept: MEDIA_TYPES[format] } });
          expect([status, problem['code']], framing).to.deep.equal([502, 'upstream_invalid']);
        }
        // The end comes later than the rows if only the closed connection marks it.
        answer = sent('close');
        const { status, isWhole } = await ask(service, path, { headers: { accept: MEDIA_TYPES[format] } });
        expect(status === 200 && isWhole).to.equal(false);
      });
    }

    it(`LIB-04: is an error of openRecords (${what})`, async () => {
      const client = bareClient(server.url);
      for (const framing of FRAMINGS) {
        answer = sent(framing);
        const read = async (): Promise<unknown> => (await client.openRecords({ format })).toArray();
        expect(await rejection(read()), framing).to.have.property(
          'code',
          framing === 'close' ? 'upstream_unavailable' : 'upstream_invalid',
        );
      }
      client.close();
    });
  }

  const DRY_RUN = { method: 'POST', body: '[{"record_id":"1"}]' };
  for (const [method, path, body] of [
    ['GET', '/api/v1/log', '[{"when":"2026-01-01 10:00"}]'],
    ['GET', '/api/v1/log', '[{"timestamp":"2026-01-01 10:00","username":"a","details":"","record":""}]'],
    ['GET', '/api/v1/records?values=typed', '[{"record_id":"1","age":{"value":"3"}}]'],
    ['GET', '/api/v1/records?values=typed', '[{"record_id":"1","age":["3"]}]'],
    ['GET', '/api/v1/records?values=typed', '[{"record_id":"1","age":null}]'],
    ['GET', '/api/v1/project/repeating', '[{"custom_form_label":""}]'],
    ['POST', '/api/v1/records?dryRun=true', '[{"id":"1"}]'],
  ] as const) {
    it(`UP-02: is a problem of ${method} ${path} if a row is of another shape: ${body}`, async () => {
      const redcap = await startFaultServer(({ form }) => {
        const design = designOf(form);
        if (design !== undefined) return { kind: 'answer', body: design };
        if (form.get('content') === 'project') return { kind: 'answer', body: '{"project_id":1}' };
        const isRows = ['log', 'record', 'repeatingFormsEvents'].includes(form.get('content') ?? '');
        return { kind: 'answer', body: isRows ? body : '[]' };
      });
      const shaped = await startService({
        capture: createCrfClient({ url: redcap.url, token: SENTINEL_TOKEN, resilience: BARE.resilience }),
      });
      const headers = { 'content-type': 'application/json' };
      const { status, problem } = await ask(shaped, path, method === 'POST' ? { ...DRY_RUN, headers } : {});
      await shaped.close();
      await redcap.close();
      expect([status, problem['code']]).to.deep.equal([502, 'upstream_invalid']);
    });
  }

  it('LIB-04: is a problem if it is compressed, too', async () => {
    answer = {
      kind: 'answer',
      body: gzipSync('record_id,note\n1,x\n2,"y\n'),
      headers: { 'content-encoding': 'gzip' },
    };
    const { status } = await ask(service, '/api/v1/records', { headers: { accept: 'text/csv' } });
    expect(status).to.equal(502);
  });

  it('LIB-04: is a failure of crf export', async () => {
    answer = { kind: 'answer', body: 'record_id,note\n1,x\n2,"y\n' };
    const environment = { CAPTURE_API_URL: server.url, CAPTURE_API_TOKEN: SENTINEL_TOKEN };
    const { exitCode, stdout } = await runCrf(['export', '--format', 'csv'], { environment });
    expect(exitCode).to.not.equal(0);
    expect(stdout).to.equal('');
  });

  for (const [delimiter, rows] of [
    [undefined, 'a,b\n1,2\n3\n'],
    ['tab', 'a\tb\n1,1\t"2\t"\n3,4\n'],
    [';', '"a";"b"\n1;"x;y"\n"3;4"\n'],
  ] as readonly (readonly [CsvDelimiter | undefined, string])[]) {
    it(`LIB-04: counts the cells between the delimiter that was asked for (${delimiter ?? 'comma'})`, async () => {
      for (const framing of FRAMINGS) {
        await withFaults(
          () => ({ kind: 'answer', body: rows, framing }),
          async ({ client }) => {
            const read = async (): Promise<unknown> =>
              (await client.openRecords({ format: 'csv', csvDelimiter: delimiter })).toArray();
            expect(await rejection(read())).to.have.property(
              'code',
              framing === 'close' ? 'upstream_unavailable' : 'upstream_invalid',
            );
          },
        );
      }
    });
  }
});
