import { expect } from 'chai';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { SECURITY_HEADERS } from '../../../src/http/security-headers.js';
import { startService, type TestService } from '../../support/start-service.js';

/** The bytes of a request, the expected answer, and whether the application receives it. */
const REQUESTS: readonly (readonly [description: string, bytes: string, status: number, code: string])[] = [
  ['what is not HTTP', 'NONSENSE\r\n\r\n', 400, 'malformed_request'],
  ['a request without a Host', 'GET /health HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
  [
    'a request with two Hosts',
    'GET /health HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n',
    400,
    'malformed_request',
  ],
  ...['a@b', '"evil', 'a b', 'a/b', 'a:b', 'a:1:2', '[::1', 'a?b', 'a#b', 'ä'].map(
    (host) =>
      [
        `a request with the Host ${host}`,
        `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
        400,
        'malformed_request',
      ] as const,
  ),
  [
    'a request for a URL with a name before its host',
    'GET http://a@b/health HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    'malformed_request',
  ],
  [
    'headers that are too large',
    `GET /health HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'a body with two lengths',
    'POST /api/v1/auth/logout HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'malformed_request',
  ],
];

describe('A request that cannot be read', () => {
  let service: TestService;
  let log: string[];

  before(async () => {
    log = [];
    service = await startService({
      logger: pino({ level: 'info' }, { write: (line) => void log.push(line) }),
    });
  });
  after(() => service.close());

  async function send(bytes: string): Promise<{ head: string; body: string }> {
    const socket = connect((service.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(bytes);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { head, body };
  }

  for (const [description, bytes, status, code] of REQUESTS) {
    it(`HDR-01: is answered for ${description} with the headers, the request id and the problem of every error`, async () => {
      log.length = 0;

      const { head, body } = await send(`${bytes.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`);

      expect(head).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      for (const [name, value] of Object.entries(SECURITY_HEADERS))
        expect(head).to.include(`${name}: ${value}`);
      const id = /^X-Request-Id: (\S+)$/m.exec(head)?.[1];
      expect(JSON.parse(body)).to.include({ code, status, instance: id });
      expect(log.map((line) => JSON.parse(line) as object)).to.have.lengthOf(1);
      expect(JSON.parse(log[0] ?? '')).to.include({ requestId: id, status });
    });
  }

  for (const query of ['', '?x=1']) {
    it(`does not include an absolute URL, as a proxy client sends it (/health${query})`, async () => {
      const { head } = await send(
        `GET http://127.0.0.1/health${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );

      expect(head).to.match(query === '' ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 400 /);
    });
  }

  for (const host of ['example.org', 'example.org:8080', '[2001:db8::1]:80', 'a_b', 'x%20y', ''])
    it(`does not include one for the host ${host}`, async () => {
      const { head } = await send(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

      expect(head).to.match(/^HTTP\/1\.1 200 /);
    });

  it('LOGIN-12: does not include an absolute URL of the sign-in, which is kept out of search engines too', async () => {
    const { head } = await send(
      'GET http://127.0.0.1/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );

    expect(head).to.include('X-Robots-Tag: noindex');
  });

  it('is answered despite an unknown expectation', async () => {
    const { head } = await send(
      'GET /health HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n',
    );

    expect(head)
      .to.match(/^HTTP\/1\.1 200 /)
      .and.to.include('X-Request-Id: ');
  });
});
