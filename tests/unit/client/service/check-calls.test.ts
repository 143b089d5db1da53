import { expect } from 'chai';
import { createServiceClient } from '../../../../src/client/service/create-service-client.js';
import { rejection } from '../../../support/rejection.js';

describe('A call of the service client', () => {
  const sent: Request[] = [];
  const client = createServiceClient({
    baseUrl: 'https://crf.example.org',
    fetch: (request) => {
      sent.push(request);
      return Promise.resolve(Response.json({ data: [] }));
    },
  });
  const query = { fields: ['age'] };
  beforeEach(() => (sent.length = 0));

  it('is refused if its query is outside params, and would export every field', async () => {
    expect(await rejection(client.GET('/api/v1/records', { query }))).to.include({
      code: 'invalid_request',
      message: 'query is not an option.',
    });
    expect(await rejection(client.GET('/api/v1/records', { parms: { query } }))).to.have.property(
      'message',
      'parms is not an option; did you mean params?',
    );
    expect(sent).to.deep.equal([]);
  });

  it('is refused if its parameters have no such place', async () => {
    const failure = await rejection(client.GET('/api/v1/records', { params: { qury: query } as never }));

    expect(failure).to.have.property('message', 'params.qury is not an option; did you mean query?');
    expect(sent).to.deep.equal([]);
  });

  for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']) {
    it(`is refused with ${method}, too`, async () => {
      const send = Reflect.get(client, method) as (path: string, init: object) => Promise<unknown>;

      expect(await rejection(send('/api/v1/records', { query }))).to.have.property('code', 'invalid_request');
    });
  }

  it('is refused with request, too', async () => {
    const failure = await rejection(client.request('get', '/api/v1/records', { query }));

    expect(failure).to.have.property('code', 'invalid_request');
  });

  for (const init of [null, 'SENTINEL', 7]) {
    it(`is refused with ${JSON.stringify(init)} in place of its options`, async () => {
      expect(await rejection(client.GET('/api/v1/records', init as never))).to.have.property(
        'message',
        'options must be an object.',
      );
    });
  }

  it('is sent with the options of fetch', async () => {
    const { signal } = new AbortController();
    await client.GET('/api/v1/records', { params: { query }, signal, headers: { 'X-Request-Id': 'a' } });
    await client.GET('/health');

    expect(sent.map(({ url }) => url)).to.deep.equal([
      'https://crf.example.org/api/v1/records?fields=age',
      'https://crf.example.org/health',
    ]);
  });
});

describe('The request id of a call of the service client', () => {
  const sent: (string | null)[] = [];
  let answer: () => Promise<Response>;
  const client = createServiceClient({
    baseUrl: 'https://crf.example.org',
    maxRetries: 1,
    fetch: (request) => {
      sent.push(request.headers.get('X-Request-Id'));
      return answer();
    },
  });
  beforeEach(() => (sent.length = 0));

  it('is sent, and the same in a second attempt', async () => {
    answer = () =>
      Promise.resolve(
        new Response(null, { status: sent.length === 1 ? 503 : 204, headers: { 'Retry-After': '0' } }),
      );

    await client.GET('/api/v1/project/version');

    expect(sent).to.have.length(2);
    expect(sent[0]).to.match(/^[0-9a-f]{32}$/);
    expect(sent[1]).to.equal(sent[0]);
  });

  it("is the caller's own if there is one", async () => {
    answer = () => Promise.resolve(Response.json({}));

    await client.GET('/api/v1/project/version', { headers: { 'X-Request-Id': 'mine-1' } });

    expect(sent).to.deep.equal(['mine-1']);
  });

  it('is on the error if there is no answer', async () => {
    answer = () => Promise.reject(new DOMException('late', 'TimeoutError'));

    expect(await rejection(client.GET('/api/v1/project/version'))).to.have.property('requestId', sent[0]);
  });

  it('is on the error if an answer breaks off', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError('reset')) });
    answer = () => Promise.resolve(new Response(broken));

    expect(await rejection(client.GET('/api/v1/project/version'))).to.have.property('requestId', sent[0]);
  });

  it('is on the error with what the fetch of the caller rejected with as its cause', async () => {
    const reason = Object.freeze(new Error('left'));
    answer = () => Promise.reject(reason);

    expect(await rejection(client.GET('/api/v1/project/version'))).to.include({
      code: 'service_unavailable',
      cause: reason,
      requestId: sent[0],
    });
  });
});
