import { expect } from 'chai';
import express, { type Express } from 'express';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createHttpServer } from '../../../src/http/http-server.js';

/** An application that uses every Express feature that this package uses, and a few more. */
function sampleApp(): Express {
  const app = express();
  const mounted = express();
  mounted.get('/inside', (request, response) => {
    response.json({ base: request.baseUrl, isMounted: request.app === mounted });
  });

  app.set('trust proxy', 1);
  app.get('/json', (_request, response) => void response.json({ ok: true, text: 'é' }));
  app.get('/ip', (request, response) => void response.json([request.ip, request.protocol, request.hostname]));
  app.get('/query', (request, response) => void response.json(request.query));
  app.get('/redirect', (_request, response) => response.redirect('/json?a=b'));
  app.get(
    '/cookie',
    (_request, response) => void response.cookie('name', 'a+b', { httpOnly: true }).send('set'),
  );
  app.get('/accepts', (request, response) => void response.send(request.accepts(['json', 'html'])));
  app.get('/after', (request, response) => void response.json({ isParent: request.app === app }));
  app.get('/stream', async (_request, response) => {
    const source = new PassThrough();
    source.write('one ');
    source.end('two');
    await pipeline(source, response);
  });
  app.post('/echo', express.json(), (request, response) => void response.status(201).json(request.body));
  app.get('/throws', () => {
    throw new Error('on purpose');
  });
  app.use('/mounted', mounted);
  app.use(
    (error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
      response.status(500).json({ message: error.message });
    },
  );
  return app;
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns what a client sees of an answer, without the date header. */
async function answer(base: string, path: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(base + path, { redirect: 'manual', ...init });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'date'));
  return { status: response.status, headers, body: await response.text() };
}

describe('createHttpServer', () => {
  let fast: Server;
  let plain: Server;
  let fastUrl: string;
  let plainUrl: string;

  before(async () => {
    fast = createHttpServer(sampleApp(), { keepAliveTimeoutMs: 5000 });
    plain = createServer(sampleApp());
    [fastUrl, plainUrl] = await Promise.all([listening(fast), listening(plain)]);
  });

  after(() => {
    for (const server of [fast, plain]) {
      server.closeAllConnections();
      server.close();
    }
  });

  const json = { 'content-type': 'application/json' };
  const requests: readonly [string, string, RequestInit?][] = [
    ['res.json', '/json'],
    [
      'req.ip behind a proxy',
      '/ip',
      { headers: { 'x-forwarded-for': '192.0.2.7, 192.0.2.8', 'x-forwarded-proto': 'https' } },
    ],
    ['req.query', '/query?a=1&b=2&b=3'],
    ['res.redirect', '/redirect'],
    ['res.cookie', '/cookie'],
    ['req.accepts', '/accepts', { headers: { accept: 'text/html' } }],
    ['a stream', '/stream'],
    ['a body', '/echo', { method: 'POST', headers: json, body: '{"a":[1,2]}' }],
    ['a broken body', '/echo', { method: 'POST', headers: json, body: '{"a":' }],
    ['an error', '/throws'],
    ['a sub-application', '/mounted/inside'],
    ['a path without a route', '/nowhere'],
    ['HEAD', '/json', { method: 'HEAD' }],
  ];
  for (const [description, path, init] of requests) {
    it(`answers ${description} as app.listen does`, async () => {
      expect(await answer(fastUrl, path, init)).to.deep.equal(await answer(plainUrl, path, init));
    });
  }

  it('restores the application of a request after a sub-application handled it', async () => {
    await answer(fastUrl, '/mounted/inside');

    expect(await (await fetch(`${fastUrl}/after`)).json()).to.deep.equal({ isParent: true });
  });

  it('keeps two applications apart', async () => {
    const other = express();
    other.get('/json', (request, response) => void response.json({ other: request.app === other }));
    const server = createHttpServer(other);
    const url = await listening(server);

    expect(await (await fetch(`${url}/json`)).json()).to.deep.equal({ other: true });
    expect(await (await fetch(`${fastUrl}/json`)).json()).to.deep.equal({ ok: true, text: 'é' });

    server.closeAllConnections();
    server.close();
  });

  it('creates requests and responses with the prototypes of the application', async () => {
    const app = express();
    const own: boolean[] = [];
    // This listener runs before Express, so the prototypes must already be right.
    const server = createHttpServer(app);
    server.prependListener('request', (request, response) => {
      own.push(
        Object.getPrototypeOf(request) === app.request,
        Object.getPrototypeOf(response) === app.response,
      );
    });
    const url = await listening(server);

    await fetch(url);

    expect(own).to.deep.equal([true, true]);
    server.closeAllConnections();
    server.close();
  });

  it('answers input that is not HTTP with a problem document', async () => {
    const { port } = fast.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write('NONSENSE\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();

    expect(text).to.match(/^HTTP\/1\.1 400 /);
    expect(text).to.include('application/problem+json').and.to.include('"code":"malformed_request"');
  });

  it('STR-01: aborts a started response when its request is followed by unreadable input', async () => {
    const app = express();
    app.get('/begun', (_request, response) => void response.write('{"data":['));
    const server = createHttpServer(app);
    await listening(server);
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));

    socket.write('GET /begun HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.write('NONSENSE\r\n\r\n');
    await once(socket, 'close');

    server.closeAllConnections();
    server.close();
    expect(Buffer.concat(chunks).toString())
      .to.match(/^HTTP\/1\.1 200 /)
      .and.to.not.include('400');
  });

  it('OPS-03: treats a request with an unknown expectation like any other', async () => {
    const server = createHttpServer(sampleApp());
    await listening(server);
    const seen = once(server, 'request');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');

    socket.write('GET /json HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nConnection: close\r\n\r\n');

    const [incoming] = (await seen) as [IncomingMessage];
    socket.resume();
    await once(socket, 'close');
    server.close();
    expect(incoming.url).to.equal('/json');
  });

  it('answers oversized headers with a problem document', async () => {
    const outgoing = httpRequest(`${fastUrl}/json`, { headers: { 'x-large': 'a'.repeat(20_000) } });
    outgoing.end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    incoming.resume();

    expect(incoming.statusCode).to.equal(431);
    expect(incoming.headers['content-type']).to.equal('application/problem+json; charset=utf-8');
  });

  it('OPS-03: limits the time for headers, keep-alive, idle time and the number of connections', () => {
    const server = createHttpServer(express());

    expect(server).to.include({
      headersTimeout: 15_000,
      keepAliveTimeout: 65_000,
      timeout: 60_000,
      maxConnections: 1000,
    });
  });

  for (const [description, trustProxy, isBounded] of [
    ['no proxy is trusted', 0, true],
    ['another address is a proxy', ['192.0.2.1'], true],
    ['one proxy is trusted, whatever its address', 1, false],
    ['its address is a proxy', ['loopback'], false],
  ] as const) {
    it(`OPS-03: a client ${isBounded ? 'has a share of' : 'may have all of'} the connections when ${description}`, async () => {
      const app = sampleApp();
      app.set('trust proxy', trustProxy);
      const server = createHttpServer(app, { maxConnections: 2 });
      const url = await listening(server);
      const first = connect((server.address() as AddressInfo).port, '127.0.0.1');
      await once(first, 'connect');

      const isAnswered = await answer(url, '/json').then(
        () => true,
        () => false,
      );

      expect(isAnswered).to.equal(!isBounded);
      first.destroy();
      server.closeAllConnections();
      server.close();
    });
  }

  it('OPS-03: closes a connection that falls silent in the middle of its body', async () => {
    const server = createHttpServer(sampleApp(), { idleTimeoutMs: 50 });
    await listening(server);
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    socket.resume();

    await once(socket, 'close');

    server.close();
  });
});
