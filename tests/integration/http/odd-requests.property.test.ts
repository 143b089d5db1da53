import { connect } from 'node:net';
import fc from 'fast-check';
import { expect } from 'chai';
import { runServer, type ServerProcess } from '../../support/run-server.js';

/** A fixed seed, so that a failing run can be repeated. */
const SEED = 20_261_122;

/** Longer than an answer takes. A request that its sender left incomplete gets no answer. */
const PATIENCE_MS = 300;

const method = fc.constantFrom(
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'M-SEARCH',
);
const path = fc.oneof(
  fc.constantFrom(
    '/',
    '/health',
    '/health/ready',
    '/login',
    '/login/send',
    '/login/confirm',
    '/dashboard/sign-out',
    '/docs/',
    '/openapi.json',
    '/api/v1/auth/signup',
    '/api/v1/auth/logout',
    '/api/v1/records',
    '/api/v1/project/version',
    '/api/v1/people/ada%40example.org',
    '*',
    '//',
    '/%',
    '/%ff%fe',
    '/..%2f..%2f',
    '/api/v1/people/%00',
    'http://[::1/',
    '/?__proto__=1&a[b]=c',
  ),
  fc
    .string({
      unit: fc.constantFrom('/', '%', '?', '&', '=', '[', ']', '.', '2', 'f', 'a', ';'),
      maxLength: 20,
    })
    .map((text) => `/${text}`),
);
const type = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-7',
  'application/json; charset="',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=iso-8859-1',
  'application/x-ndjson',
  'text/csv',
  'multipart/form-data; boundary=',
  ';',
  '/',
);
const header = fc.oneof(
  fc.constantFrom(
    'X-Forwarded-For: fe80::1%eth0',
    'X-Forwarded-For: fe80::1%25eth0, ::ffff:1.2.3.4%lo',
    'X-Forwarded-For: 1.2.3.4:80, [::1]:443',
    'X-Forwarded-For: ,',
    'X-Forwarded-Proto: javascript',
    'X-Forwarded-Host: [',
    'Accept: text/html;q=x, */*;q=',
    'Accept-Encoding: identity;q=0, *;q=0',
    'Content-Encoding: gzip',
    'Content-Encoding: br',
    'Content-Encoding: nonesuch',
    'Cookie: a=%; b="; =; session=%ff',
    'Origin: null',
    'Origin: http://[',
    'Referer: %',
    'Sec-Fetch-Site: cross-site',
    'Range: bytes=9-0',
    'If-Modified-Since: never',
    'Authorization: Bearer',
    'Authorization: Basic %%%',
    'Idempotency-Key: "',
    'Upgrade: websocket\r\nConnection: Upgrade',
    'X-Request-Id: \u00ff',
    'Host: [::1',
  ),
  fc
    .string({ unit: fc.constantFrom('a', ' ', ',', ';', '=', '"', '%', '\u0080', '\u00ff'), maxLength: 30 })
    .map((text) => `X-Odd: ${text}`),
);
const body = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '{"email":"a',
    '[['.repeat(40),
    '{"__proto__":1}',
    'email=%',
    'a&'.repeat(30),
    '"',
    '\r\n\r\n',
  ),
  fc.string({
    unit: fc.constantFrom('{', '}', '[', ']', '"', ',', '\u0000', '\u00ff', '%', '\n'),
    maxLength: 60,
  }),
);
/** How the announced length differs from the true one. */
type Framing = 'exact' | 'too long' | 'too short' | 'chunked' | 'broken chunk';
const framing: fc.Arbitrary<Framing> = fc.constantFrom(
  'exact',
  'too long',
  'too short',
  'chunked',
  'broken chunk',
);

interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly framing: Framing;
}
const request: fc.Arbitrary<OddRequest> = fc.record({
  method,
  path,
  type,
  headers: fc.array(header, { maxLength: 4 }),
  body,
  framing,
});

describe('OPS-06: malformed requests', function () {
  this.timeout(120_000);
  let server: ServerProcess;

  before(async () => {
    server = await runServer({
      TRUST_PROXY: '1',
      ALLOW_ANONYMOUS: 'true',
      API_CALLS_PER_MINUTE: '0',
    });
  });
  after(async () => {
    server.kill('SIGKILL');
    await server.exited;
  });

  it('leave the server running, and never cause a 5xx except 501 and 503', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 20 }), async (requests) => {
        const statuses = (await Promise.all(requests.map(send))).flat();

        expect(statuses.filter((status) => status >= 500 && status !== 501 && status !== 503)).to.deep.equal(
          [],
        );
        expect((await fetch(`${server.url}/health`)).status).to.equal(200);
      }),
      { seed: SEED, numRuns: 30 },
    );
    expect(server.log.filter(({ level }) => level === 'fatal')).to.deep.equal([]);
  });

  /** @returns the statuses of all answers on a new connection */
  async function send(odd: OddRequest): Promise<number[]> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(textOf(odd), 'latin1');
    await closed;
    const text = Buffer.concat(chunks).toString('latin1');
    return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  }
});

function textOf({ method, path, type, headers, body, framing }: OddRequest): string {
  const isChunked = framing === 'chunked' || framing === 'broken chunk';
  const difference = framing === 'too long' ? 7 : framing === 'too short' ? -1 : 0;
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${type}`,
    isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${Math.max(0, body.length + difference)}`,
    ...headers,
  ];
  const chunk =
    framing === 'broken chunk' ? `zz\r\n${body}` : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  return `${head.join('\r\n')}\r\n\r\n${isChunked ? chunk : body}`;
}
