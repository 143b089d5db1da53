import { getEventListeners } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import {
  createServiceClient,
  type ServiceClientConfig,
} from '../../../../src/client/service/create-service-client.js';
import { resilientFetch } from '../../../../src/client/service/resilient-fetch.js';
import { createApiKey } from '../../../../src/services/access/api-key.js';
import { rejection } from '../../../support/rejection.js';
import { closeServer, listen } from '../../../support/start-service.js';

type Answer = (response: http.ServerResponse, request: http.IncomingMessage) => void;

/** A server that gives each request the next answer and repeats the last one. It records the requests. */
async function startCountingServer(...answers: readonly Answer[]) {
  const requests: { headers: http.IncomingHttpHeaders; body: string }[] = [];
  const server = http.createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ headers: request.headers, body });
      answers[Math.min(requests.length, answers.length) - 1]?.(response, request);
    });
  });
  return { url: await listen(server), requests, close: () => closeServer(server) };
}

const fine: Answer = (response) =>
  response.setHeader('Content-Type', 'application/json').end('{"data":{"version":"16.1.9","count":1}}');
const busy =
  (status: number, retryAfter = '0'): Answer =>
  (response) =>
    response
      .writeHead(status, { 'Retry-After': retryAfter, 'Content-Type': 'application/problem+json' })
      .end('{}');
const reset: Answer = (_response, request) => request.socket.destroy();
const silent: Answer = () => undefined;

describe('createServiceClient, when the service fails', () => {
  async function withServer(
    answers: readonly Answer[],
    test: (
      server: Awaited<ReturnType<typeof startCountingServer>>,
      client: ReturnType<typeof createServiceClient>,
    ) => Promise<void>,
    config: Partial<ServiceClientConfig> = {},
  ): Promise<void> {
    const server = await startCountingServer(...answers);
    try {
      await test(server, createServiceClient({ baseUrl: server.url, apiKey: createApiKey(), ...config }));
    } finally {
      await server.close();
    }
  }

  for (const [failure, answer] of [
    ['429', busy(429)],
    ['503', busy(503)],
    ['a broken connection', reset],
  ] as const) {
    it(`LIB-03: retries a read once after ${failure}`, () =>
      withServer([answer, fine], async ({ requests }, client) => {
        const { data } = await client.GET('/api/v1/project/version');

        expect(data?.data.version).to.equal('16.1.9');
        expect(requests).to.have.length(2);
      }));
  }

  it('LIB-03: does not retry a read twice', () =>
    withServer([busy(503)], async ({ requests }, client) => {
      const { response } = await client.GET('/api/v1/project/version');

      expect(response.status).to.equal(503);
      expect(requests).to.have.length(2);
    }));

  it('LIB-03: does not wait longer than its maximum', () =>
    withServer([busy(503, '3600')], async ({ requests }, client) => {
      const { response } = await client.GET('/api/v1/project/version');

      expect(response.headers.get('retry-after')).to.equal('3600');
      expect(requests).to.have.length(1);
    }));

  for (const [form, inTwoSeconds] of [
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2000).toUTCString()],
  ] as const) {
    it(`LIB-03: obeys Retry-After given as ${form}`, () =>
      withServer(
        [(response) => busy(429, inTwoSeconds())(response, response.req), fine],
        async ({ requests }, client) => {
          let isOver = false;
          const call = client.GET('/api/v1/project/version').then(() => (isOver = true));
          await pause(500);
          // The wait is at least a second, so nothing may be sent before that.
          expect([isOver, requests.length]).to.deep.equal([false, 1]);
          await call;
          expect(requests).to.have.length(2);
        },
      ));
  }

  it('LIB-03: retries an import with the same idempotency key', () =>
    withServer([busy(503), fine], async ({ requests }, client) => {
      await client.POST('/api/v1/records', { body: { records: [{ record_id: 'A' }] } });

      const keys = requests.map(({ headers }) => headers['idempotency-key']);
      expect(keys[0]).to.match(/^[0-9a-f]{32}$/);
      expect(keys[1]).to.equal(keys[0]);
      expect(requests[1]?.body).to.equal(requests[0]?.body);
    }));

  it('LIB-03: gives each import a new key, and keeps a key of the caller', () =>
    withServer([fine], async ({ requests }, client) => {
      const body = { records: [{ record_id: 'A' }] };
      await client.POST('/api/v1/records', { body });
      await client.POST('/api/v1/records', { body });
      await client.POST('/api/v1/records', { body, params: { header: { 'Idempotency-Key': 'mine' } } });

      const keys = requests.map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys).size).to.equal(3);
      expect(keys[2]).to.equal('mine');
    }));

  it('LIB-03: sends a write without an idempotency key only once', () =>
    withServer([busy(503)], async ({ requests }, client) => {
      const { response } = await client.POST('/api/v1/auth/signup', { body: { email: 'a@example.org' } });

      expect(response.status).to.equal(503);
      expect(requests).to.have.length(1);
      expect(requests[0]?.headers).to.not.have.property('idempotency-key');
    }));

  it('LIB-03: times out if the service does not answer', () =>
    withServer(
      [silent],
      async ({ requests }, client) => {
        const error = await rejection(client.GET('/api/v1/project/version'));

        expect(error).to.include({ code: 'service_timeout', name: 'ServiceTimeoutError' });
        expect(error.message).to.include('did not answer for 50 ms (timeoutMs)');
        expect(error['requestId']).to.match(/^[0-9a-f]{32}$/);
        expect(requests).to.have.length.at.most(1); // Zero if the server had not yet accepted the connection.
      },
      { timeoutMs: 50 },
    ));

  it('LIB-03: times out if an answer stops midway', () =>
    withServer(
      [(response) => response.setHeader('Content-Type', 'application/json').write('{"data":')],
      async (_server, client) => {
        const error = await rejection(client.GET('/api/v1/project/version'));

        expect(error).to.have.property('code', 'service_timeout');
      },
      { timeoutMs: 200 },
    ));

  it('LIB-03: has a code and the host if there is no connection, or an answer breaks off', async () => {
    const nobody = await startCountingServer(silent);
    await nobody.close();
    const client = createServiceClient({ baseUrl: nobody.url, maxRetries: 0 });
    const refused = await rejection(client.GET('/api/v1/project/version'));
    const { host } = new URL(nobody.url);
    expect(refused).to.include({ code: 'service_unavailable', host, isRetryable: true });
    expect(refused.message).to.equal(
      `The service at ${host} did not answer: the connection was refused (ECONNREFUSED). Check baseUrl, and whether the service runs; redirects are not followed.`,
    );
    expect(refused['requestId']).to.match(/^[0-9a-f]{32}$/);

    const breaks: Answer = (response) => {
      response.setHeader('Content-Type', 'application/json').write('{"data":', () => response.destroy());
    };
    for (const timeoutMs of [0, 5000])
      await withServer(
        [breaks],
        async ({ url }, broken) => {
          const error = await rejection(broken.GET('/api/v1/project/version'));
          expect(error).to.include({ code: 'service_unavailable', host: new URL(url).host });
        },
        { timeoutMs },
      );
  });

  it('LIB-03: ends a streamed answer at the next piece after an abort', () =>
    withServer(
      [(response) => response.setHeader('Content-Type', 'text/csv').write('id\n1\n')],
      async (_server, client) => {
        const controller = new AbortController();
        const { data } = await client.GET('/api/v1/records', {
          parseAs: 'stream',
          signal: controller.signal,
        });
        const reader = (data as unknown as ReadableStream<Uint8Array>).getReader();
        expect((await reader.read()).done).to.equal(false);
        controller.abort();

        expect(await rejection(reader.read())).to.have.property('code', 'cancelled');
      },
    ));

  it("LIB-03: lets the caller's signal end the wait before a retry", () =>
    withServer([busy(503, '30')], async ({ requests }, client) => {
      const controller = new AbortController();
      const call = rejection(client.GET('/api/v1/project/version', { signal: controller.signal }));
      while (requests.length === 0) await pause(10);
      controller.abort('enough');

      expect(await call).to.include({ code: 'cancelled', cause: 'enough' });
      expect(requests).to.have.length(1);
    })).timeout(15_000); // less than the 30 seconds of the wait

  it('LIB-03: leaves no listener on the signal after a wait, and has one during it', async () => {
    const request = new Request('http://127.0.0.1/', { signal: new AbortController().signal });
    const listeners = (): number => getEventListeners(request.signal, 'abort').length;
    const before = listeners();
    const during: number[] = [];
    const answers = [
      new Response('{}', { status: 503, headers: { 'Retry-After': '0' } }),
      new Response('{}'),
    ];
    const send = (): Promise<Response> => {
      setImmediate(() => during.push(listeners()));
      return Promise.resolve(answers.shift() ?? Response.error());
    };

    const response = await resilientFetch(send, { timeoutMs: 0 })(request);

    expect([response.status, listeners()]).to.deep.equal([200, before]);
    expect(during).to.include(before + 1);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`LIB-03: does not follow a ${status} redirect, so the API key stays with its host`, async () => {
      const other = await startCountingServer(fine);
      await withServer(
        [(response) => response.writeHead(status, { Location: `${other.url}/` }).end()],
        async (_server, client) => {
          expect(await rejection(client.GET('/api/v1/project/version'))).to.have.property(
            'code',
            'service_unavailable',
          );
          expect(other.requests).to.have.length(0);
        },
        { maxRetries: 0 },
      );
      await other.close();
    });
  }
});
