import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createApp } from '../../../src/app/app.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { createHttpServer, type HttpServerOptions } from '../../../src/http/http-server.js';
import { startAuth, type TestAuth } from '../../support/start-auth.js';
import { closeServer, listen } from '../../support/start-service.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

const BODY_TIMEOUT_MS = 300;

describe('OPS-03: the limits of the server', () => {
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let identity: TestAuth;
  let client: CrfClient;
  let server: Server;

  before(async () => {
    [sandbox, identity] = await Promise.all([startTestSandbox(), startAuth()]);
    client = createCrfClient({ url: sandbox.url, token: sandbox.token });
  });
  after(async () => {
    client.close();
    await Promise.all([sandbox.close(), identity.server.stop()]);
  });
  afterEach(() => closeServer(server));

  async function start(options: HttpServerOptions = {}): Promise<void> {
    const app = createApp({
      capture: client,
      access: { allowAnonymous: true },
      auth: { service: identity.service, trustedOrigins: [] },
      limits: { bodyTimeoutMs: BODY_TIMEOUT_MS },
    });
    server = createHttpServer(app, options);
    await listen(server);
  }

  it('end a client that sends its headers byte by byte', async () => {
    await start({ headersTimeoutMs: 300 });
    const socket = open();

    const answer = readText(socket);
    await drip(socket, `GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ${'a'.repeat(10_000)}`);

    expect(await answer).to.match(/^HTTP\/1\.1 408 /);
  });

  it('end a client that sends its JSON byte by byte, although it is never silent', async () => {
    await start();
    const socket = open();
    socket.write(head('POST /api/v1/auth/signup', 'application/json', 10_000));

    const answer = readText(socket).catch((error: NodeJS.ErrnoException) => error.code);
    await drip(socket, `{"email":"${'a'.repeat(10_000)}`);

    expect(await answer).to.be.oneOf(['', 'ECONNRESET', 'EPIPE']);
  });

  it('let an import take longer', async () => {
    await start();
    const socket = open();
    const csv = 'record_id,age\nCOHORT-2026-PARTICIPANT-9001,41\n';
    socket.write(head('POST /api/v1/records', 'text/csv', csv.length));

    const answer = readText(socket);
    socket.write(csv.slice(0, 20));
    await sleep(2 * BODY_TIMEOUT_MS);
    socket.write(csv.slice(20));

    expect(await answer)
      .to.match(/^HTTP\/1\.1 200 /)
      .and.to.include('"count":1');
  });

  it('allow headers of 16 KiB', async () => {
    await start();
    const [inside, beyond] = await Promise.all(
      [15, 17].map((kibibytes) => {
        const socket = open();
        socket.write(`GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Large: `);
        socket.write(`${'a'.repeat(kibibytes * 1024)}\r\n\r\n`);
        return readText(socket);
      }),
    );

    expect(inside).to.match(/^HTTP\/1\.1 200 /);
    expect(beyond).to.match(/^HTTP\/1\.1 431 /);
  });

  it('free connections that are silent for longer than headers may take', async () => {
    await start({ maxConnections: 100, maxConnectionsPerNetwork: 100, headersTimeoutMs: 5000 });
    const silent = Array.from({ length: 100 }, () => open());
    const closed = Promise.all(silent.map((socket) => once(socket.resume(), 'close')));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));

    expect(await statusOf('/health'), 'while they last').to.equal('');
    await closed;
    await untilFewer(server, 100);
    expect(await statusOf('/health'), 'when they are cut').to.equal('HTTP/1.1 200 OK');
  });

  it('end a client that sends a form byte by byte', async () => {
    await start();
    const socket = open();
    socket.write(head('POST /login/send', 'application/x-www-form-urlencoded', 10_000));

    const answer = readText(socket).catch((error: NodeJS.ErrnoException) => error.code);
    await drip(socket, `email=${'a'.repeat(10_000)}`);

    expect(await answer).to.be.oneOf(['', 'ECONNRESET', 'EPIPE']);
  });

  for (const [route, type] of [
    ['GET /health', 'text/plain'],
    ['GET /nowhere', 'text/plain'],
    ['POST /api/v1/auth/logout', 'text/plain'],
    ['POST /dashboard/sign-out', 'text/plain'],
    ['POST /api/v1/records', 'text/plain'],
    ['POST /api/v1/records?overwriteBehavior=nonesuch', 'text/csv'],
  ] as const) {
    it(`end a body that continues after the answer at ${route}`, async () => {
      await start();
      const socket = open();
      const closed = closeOf(socket);
      socket.write(keptHead(route, type));
      const [answer] = (await once(socket, 'data')) as [Buffer];

      // Sends a byte now and then, as long as the connection accepts them.
      await drip(socket, 'a'.repeat(1_000));
      await closed;

      expect(answer.toString()).to.match(/^HTTP\/1\.1 [2-4]\d\d /);
    });
  }

  it('keep a connection whose body ends soon after the answer', async () => {
    await start();
    const socket = open();
    socket.write(keptHead('GET /health', 'text/plain', 2));
    await once(socket, 'data');

    socket.write('ab');
    socket.write('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');

    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).to.match(/^HTTP\/1\.1 404 /);
  });

  it('keep one network with endless bodies from blocking others', async () => {
    await start({ maxConnections: 20 });
    const dripping = Array.from({ length: 40 }, () => open());
    await Promise.all(
      dripping.map((socket, index) => {
        socket.write(keptHead(index % 2 === 0 ? 'GET /health' : 'POST /api/v1/auth/logout', 'text/plain'));
        return Promise.race([new Promise((resolve) => socket.once('data', resolve)), closeOf(socket)]);
      }),
    );

    // On Linux all of 127.0.0.0/8 is this machine, so another address acts as another network.
    expect(await statusOf('/health', '127.0.0.2')).to.equal('HTTP/1.1 200 OK');
  });

  it('close connections beyond the share of a network immediately', async () => {
    await start({ maxConnections: 20 });
    const held = Array.from({ length: 10 }, () => open());
    await Promise.all(held.map((socket) => once(socket, 'connect')));

    expect(await statusOf('/health'), 'beyond the share').to.equal('');
    held[0]?.destroy();
    await untilFewer(server, 10);
    expect(await statusOf('/health'), 'when one of them has left').to.equal('HTTP/1.1 200 OK');
  });

  function open(localAddress?: string): Socket {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
    return socket.on('error', () => undefined); // The connection is expected to be closed while it sends.
  }

  async function statusOf(path: string, localAddress?: string): Promise<string> {
    const socket = open(localAddress);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const answer = await readText(socket).catch(() => '');
    return answer.split('\r\n')[0] ?? '';
  }

  function head(route: string, type: string, length: number): string {
    return `${route} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
  }
});

/** The head of a request over a keep-alive connection. */
function keptHead(route: string, type: string, length = 1_000_000): string {
  return `${route} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
}

/** Resolves when the connection is closed, normally or not. */
function closeOf(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

/** Resolves when the server has fewer connections. */
async function untilFewer(server: Server, count: number): Promise<void> {
  const connections = promisify(server.getConnections.bind(server));
  while ((await connections()) >= count) await new Promise((resolve) => setImmediate(resolve));
}

/** Sends a text byte by byte until it is sent or the connection is closed. */
async function drip(socket: Socket, text: string): Promise<void> {
  for (const byte of text) {
    if (!socket.writable) return;
    socket.write(byte);
    await sleep(20);
  }
}
