import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { expect } from 'chai';
import { createServiceClient } from '../../../src/client/service/create-service-client.js';
import { startFaultServer, type Fault, type FaultServer } from '../../support/fault-server.js';
import { forward } from '../../support/forward.js';
import { runServer, type ServerProcess } from '../../support/run-server.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

const MEDIA_TYPES = ['application/json', 'application/x-ndjson', 'text/csv'];
const EXPORT = '/api/v1/records';
const CONTENTS_OF_ROWS = new Set<string | null>(['record', 'report']);
const TRUNCATED: Fault = { kind: 'cut', body: Buffer.from('[{"record_id":"1"}]'), fraction: 0.5 };

describe('An export of the server', function () {
  this.timeout(60_000);
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let upstream: FaultServer;
  let server: ServerProcess;
  /** What happens to the records or the report that the sandbox returns. */
  let spoil: (body: Buffer) => Fault;

  before(async () => {
    sandbox = await startTestSandbox();
    upstream = await startFaultServer(async (request) => {
      const answer = await forward(sandbox.url, request);
      return CONTENTS_OF_ROWS.has(request.form.get('content')) ? spoil(answer.body) : answer;
    });
    server = await runServer({
      CAPTURE_API_URL: upstream.url,
      CAPTURE_API_TOKEN: sandbox.token,
      CAPTURE_CALLS_PER_MINUTE: '0',
      CAPTURE_BREAKER_FAILURES: '0',
      CAPTURE_RETRIES: '0',
      CAPTURE_FIRST_BYTE_TIMEOUT_MS: '600000',
      CAPTURE_IDLE_TIMEOUT_MS: '600000',
      CAPTURE_TOTAL_TIMEOUT_MS: '600000',
    });
  });
  after(async () => {
    server.kill('SIGKILL');
    await server.exited;
    await Promise.all([upstream.close(), sandbox.close()]);
  });

  const whole = (body: Buffer): Fault => ({ kind: 'answer', body });
  const cutAt =
    (fraction: number) =>
    (body: Buffer): Fault => ({ kind: 'cut', body, fraction });

  for (const accept of MEDIA_TYPES) {
    for (const percent of [1, 50, 99]) {
      it(`STR-01: of ${accept} truncated at ${percent} % is a failure to curl and to the client library`, async () => {
        spoil = cutAt(percent / 100);

        expect(await curl(accept)).to.not.equal(0);
        expect(await askLibrary(accept)).to.equal('failed');
      });
    }

    it(`STR-01: of ${accept} that is complete is a success`, async () => {
      spoil = whole;

      expect(await curl(accept)).to.equal(0);
      expect(await askLibrary(accept)).to.equal('answered');
    });
  }

  it('STR-02: may fail a hundred times without stopping the process, and then succeeds', async () => {
    spoil = cutAt(0.5);
    const failures = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => askLibrary(MEDIA_TYPES[index % 3] ?? '')),
    );
    expect(new Set(failures)).to.deep.equal(new Set(['failed']));

    spoil = whole;
    const answer = await fetch(server.url + EXPORT);
    expect(answer.status).to.equal(200);
    expect(await answer.json()).to.have.property('data').that.is.not.empty;
  });

  for (const path of [EXPORT, `${EXPORT}?limit=5`, `${EXPORT}?values=typed`, '/api/v1/reports/7']) {
    for (const [what, fault, status, code] of [
      ['truncated within its first row', TRUNCATED, 503, 'upstream_unavailable'],
      ['without an object as its first row', { kind: 'answer', body: '[1,2]' }, 502, 'upstream_invalid'],
    ] as const) {
      it(`STR-01: of NDJSON ${what} is a problem document (${path})`, async () => {
        spoil = () => fault;

        const answer = await fetch(server.url + path, { headers: { accept: 'application/x-ndjson' } });

        expect(answer.status).to.equal(status);
        expect(await answer.json()).to.have.property('code', code);
      });
    }
  }

  for (const [moment, fault] of [
    ['before the first byte', { kind: 'hang', at: 'head' }],
    ['in its midst', undefined],
  ] as const) {
    it(`STR-04: ends the call to REDCap when its client leaves ${moment}`, async () => {
      spoil = (body) => fault ?? { kind: 'hang', at: 'body', body, fraction: 0.5 };
      const asked = upstream.requests.length;
      const request = http.get(server.url + EXPORT).on('error', () => undefined);
      if (fault === undefined) await once(request, 'response');
      else while (upstream.requests.length === asked) await new Promise(setImmediate);
      const closed = upstream.nextClose();

      request.destroy();

      await closed; // The limits of the server are longer than that of the test, so only this can end the call.
    });
  }

  /** Returns the exit code of curl. */
  function curl(accept: string): Promise<number | string> {
    const args = ['--silent', '--fail', '--header', `Accept: ${accept}`, server.url + EXPORT];
    return new Promise((resolve) => {
      execFile('curl', args, (error) => resolve(error?.code ?? 0));
    });
  }

  async function askLibrary(accept: string): Promise<'answered' | 'failed'> {
    const client = createServiceClient({ baseUrl: server.url });
    try {
      const { error } = await client.GET(EXPORT, { headers: { accept }, parseAs: 'text' });
      return error === undefined ? 'answered' : 'failed';
    } catch {
      return 'failed';
    }
  }
});
