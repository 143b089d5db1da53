import { expect } from 'chai';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { createHttpServer } from '../../../src/http/http-server.js';

function sampleApp(): Express {
  const app = express();
  app.get('/json', (_request, response) => void response.json({ ok: true, text: 'é' }));
  app.post('/echo', express.json(), (request, response) => void response.status(201).json(request.body));
  app.use((_error: Error, _request: Request, response: Response, _next: NextFunction) => response.end());
  return app;
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('createHttpServer', () => {
  let server: Server;
  let url: string;

  before(async () => {
    server = createHttpServer(sampleApp(), { keepAliveTimeoutMs: 5000 });
    url = await listening(server);
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('serves the application', async () => {
    expect(await (await fetch(`${url}/json`)).json()).to.deep.equal({ ok: true, text: 'é' });
  });

  it('answers input that is not HTTP with a problem document', async () => {
    const { port } = server.address() as AddressInfo;
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
    const outgoing = httpRequest(`${url}/json`, { headers: { 'x-large': 'a'.repeat(20_000) } });
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

      const isAnswered = await fetch(`${url}/json`).then(
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

  describe('while a caller waits for the service', () => {
    const HEAD = 'HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    let server: Server;

    async function answerOf(app: Express, request: string): Promise<string> {
      server = createHttpServer(app);
      await listening(server);
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.write(request);
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    }

    /** The idle time of a connection has passed, as the server hears of it. */
    const idleTimePasses = ({ socket }: Request): boolean => server.emit('timeout', socket);

    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });

    it('OPS-03: leaves the connection open, however often the idle time passes', async () => {
      const app = express();
      app.get('/slow', async (request, response) => {
        while (!request.complete) await setImmediate();
        for (let times = 0; times < 3; times += 1) idleTimePasses(request);
        response.status(504).end('late');
      });

      expect(await answerOf(app, `GET /slow ${HEAD}\r\n`)).to.match(/^HTTP\/1\.1 504 [^]*late/);
    });

    it('OPS-03: leaves it open in a pause of an answer that has begun', async () => {
      const app = express();
      app.get('/pauses', async (request, response) => {
        await new Promise((sent) => response.write('first,', sent));
        for (let times = 0; times < 2; times += 1) idleTimePasses(request);
        response.end('last');
      });

      expect(await answerOf(app, `GET /pauses ${HEAD}\r\n`)).to.match(/first,[^]*last/);
    });

    it('OPS-03: leaves it open while the rest of a body waits to be read', async () => {
      const app = express();
      app.post('/upload', async (request, response) => {
        while (request.readableLength < request.readableHighWaterMark) await setImmediate();
        for (let times = 0; times < 2; times += 1) idleTimePasses(request);
        let length = 0;
        for await (const chunk of request) length += (chunk as Buffer).length;
        response.end(`${length} bytes`);
      });
      const body = 'a'.repeat(4_000_000);

      const answer = await answerOf(app, `POST /upload ${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`);

      expect(answer).to.include('4000000 bytes');
    });
  });

  it('OPS-03: closes the connection of a caller who does not read the answer', async () => {
    const app = express();
    app.get('/large', (_request, response) => void response.end(Buffer.alloc(64 * 1024 * 1024)));
    const server = createHttpServer(app, { idleTimeoutMs: 50 });
    await listening(server);
    const closed = new Promise((resolve) =>
      server.once('connection', (socket) => socket.once('close', resolve)),
    );
    const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
    reader.pause();

    reader.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');

    await closed;
    reader.destroy();
    server.close();
  });

  it('OPS-03: closes a connection on which no other request follows', async () => {
    const server = createHttpServer(sampleApp(), { idleTimeoutMs: 50, keepAliveTimeoutMs: 60 });
    await listening(server);
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /json HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.resume();

    await once(socket, 'close');

    server.close();
  });
});
